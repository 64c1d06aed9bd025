import ArgumentParser
import AudioCore
import Rendering
import Report

/// `pinna queue diff`.
struct QueueDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell from which sample on a programme changes from one queue to another, and why.",
    discussion: """
      Nothing is rendered: it is about samples before the programme's gain, and the bytes of a file that both \
      queues name count as equal. Exit code 7 with --expect-unchanged-before when a change reaches back before \
      that time.
      """)

  @Argument(help: "The old queue.") var old: String
  @Argument(help: "The new queue.") var new: String
  @Flag(help: "Print JSON.") var json = false
  @Option(
    parsing: .unconditional, help: "Fail when a sample before this time of the programme changes.")
  var expectUnchangedBefore: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far filters reach over the borders of items: 0s for items whose channels and rate stay as they are, more "
        + "for a room."))
  var reach = "0.1s"
  @Option(
    name: [.customShort("r"), .long],
    help:
      "Rate of the programmes in Hz (default: what each queue says, else the one of most samples).")
  var rate: Int?
  @OptionGroup(title: "Queues") var joining: QueueArguments
  @OptionGroup(title: "Input") var input: InputArguments

  func run() throws {
    let reach = try TimeSpec(self.reach, option: "--reach")
    let limit = try expectUnchangedBefore.map {
      try TimeSpec($0, option: "--expect-unchanged-before")
    }
    var clip = Clip(.file(old))
    clip.decoding = try input.options()
    clip.joining = try joining.joining()
    let before = try QueueSurvey(old, clip: clip, rate: rate)
    let after = try QueueSurvey(new, clip: clip, rate: rate, sharing: before)
    let report = QueueComparison.report(from: before, to: after, reach: reach)
    Terminal.output(json ? try ReportJSON.pretty(report) : QueueTable.text(report))
    if let limit { try check(report, limit) }
  }

  /// Fails when a change reaches back before `limit`.
  private func check(_ report: QueueDiffReport, _ limit: TimeSpec) throws {
    let rate = report.new.rate
    guard let change = report.changes.first, change.from < limit.samples(at: rate) else { return }
    let place = "sample \(change.from) (\(QueueTable.clock(change.from, rate)))"
    throw MediaError(
      .verificationFailed, about: new,
      "the programme changes from \(place) on (\(change.why)), before "
        + "--expect-unchanged-before \(expectUnchangedBefore ?? ""); change only what lies behind that time"
    )
  }
}
