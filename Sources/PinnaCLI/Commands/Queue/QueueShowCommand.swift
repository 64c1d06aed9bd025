import ArgumentParser
import AudioCore
import Rendering
import Report

/// `pinna queue show`.
struct QueueShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Tell where each item of a queue lies, to the sample, and its chapters.",
    discussion: """
      Looks at the files without rendering. A file that doesn't state its length to the sample is decoded \
      once to count its samples, and its row says so.
      """)

  @Argument(help: "The queue.") var queue: String
  @Flag(help: "Print JSON.") var json = false
  @Option(
    name: [.customShort("r"), .long],
    help:
      "Rate of the programme in Hz (default: what the queue says, else the one of most samples).")
  var rate: Int?
  @OptionGroup(title: "Queues") var joining: QueueArguments
  @OptionGroup(title: "Input") var input: InputArguments

  func run() throws {
    var clip = Clip(.file(queue))
    clip.decoding = try input.options()
    clip.joining = try joining.joining()
    let report = try QueueSurvey(queue, clip: clip, rate: rate).report
    Terminal.output(json ? try ReportJSON.pretty(report) : QueueTable.text(report))
  }
}
