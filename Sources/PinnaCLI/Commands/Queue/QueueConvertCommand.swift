import ArgumentParser
import AudioCore
import Rendering

/// `pinna queue convert`.
struct QueueConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Write a queue in another format.",
    discussion: """
      Nothing is left out in silence: what the other format has no place for is refused by item and key. Paths are \
      written relative to the output's folder, below which all files have to lie.
      """)

  @Argument(help: "The queue.") var queue: String
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help:
      "The file to write; its extension tells the format: yaml, otio, cue, m3u8, m3u, xspf or pls.")
  var output: String
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace an existing output.")
  var overwrite = false
  @OptionGroup(title: "Lists") var lists: ListArguments

  func run() throws {
    guard let format = QueueFile.format(ofOutput: output) else {
      throw MediaError(
        .usage,
        "-o \(output): unknown extension; give .yaml, .otio, .cue, .m3u8, .m3u, .xspf or .pls")
    }
    try QueueOutput.check(output, notOver: queue, overwrite)
    let file = try QueueFile(queue, joining: lists.joining())
    try file.write(file.queue, as: format, to: output, overwrite: overwrite)
    QueueCommand.tell(file.log.degradations)
  }
}
