import ArgumentParser
import AudioCore
import PlayQueue
import Rendering
import Report

/// `pinna queue pin`.
struct QueuePinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Write the gain of a render into its queue file.",
    discussion: """
      From then on renders apply this gain and judge the loudness by it, so that samples before a change keep their \
      bits. The gain is that of the report's first output. Comments in the file are lost.
      """)

  @Argument(help: "The queue.") var queue: String
  @Option(help: "The report of a render of this queue: pinna render --report or --json.")
  var from: String

  func run() throws {
    let file = try QueueFile(queue)
    try file.checkRewritable()
    let reports = try ReportInput.items([from])
    guard reports.count == 1, case .render(let report)? = reports.first?.content else {
      throw MediaError(
        .usage,
        "--from \(from): holds \(reports.count == 1 ? "no report of a render" : "several reports"); "
          + "give the report of one render")
    }
    var pinned = file.queue
    let gain = try QueuePin.gain(from: report, called: from, for: file)
    pinned.pinnedGain = gain
    try file.write(pinned, as: .queue, to: queue, overwrite: true)
    QueueOutput.tellComments(of: file, in: queue)
    Terminal.error(
      PlainText.line("\(queue): the gain is pinned at \(Figures.fixed(gain, 2)) dB") + "\n")
  }
}
