// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Platform
import PlayQueue
import Rendering
import Report

/// `pinna queue`.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Show, convert, edit and compare queues: many items that make one programme.",
    discussion: """
      A queue is a pinna.queue file in YAML, or a list of another program: CUE, M3U, XSPF, PLS or \
      OpenTimelineIO. pinna render takes each of them as its input. Nothing here renders.
      """,
    subcommands: [
      QueueShowCommand.self, QueueConvertCommand.self, QueueEditCommand.self,
      QueueDiffCommand.self, QueuePinCommand.self,
    ])

  /// Prints doubts about what was read, which the file that is written doesn't hold.
  static func tell(_ degradations: [Diagnostic]) {
    for one in degradations {
      Terminal.error(PlainText.line("\(one.code.rawValue)  \(one.message)") + "\n")
    }
  }
}

/// `pinna queue show`.
struct QueueShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show where each item of a queue lies, to the sample, and its chapters.",
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
  var rate: Given<Int>?
  @OptionGroup(title: "Queues") var joining: QueueArguments
  @OptionGroup(title: "Input") var input: InputArguments

  func run() throws {
    var clip = Clip(.file(queue))
    clip.decoding = try input.options()
    clip.joining = try joining.joining()
    let report = try QueueSurvey(queue, clip: clip, rate: try rate?.checked(.sampleRate)).report
    Terminal.output(json ? try ReportJSON.pretty(report) : QueueTable.text(report))
  }
}

/// `pinna queue diff`.
struct QueueDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show from which sample on a programme changes from one queue to another, and why.",
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
  var rate: Given<Int>?
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
    let before = try QueueSurvey(old, clip: clip, rate: try rate?.checked(.sampleRate))
    let after = try QueueSurvey(
      new, clip: clip, rate: try rate?.checked(.sampleRate), sharing: before)
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
        + "--expect-unchanged-before \(expectUnchangedBefore ?? ""); change only parts after that time"
    )
  }
}

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
      "The file to write; its extension chooses the format: yaml, otio, cue, m3u8, m3u, xspf or pls."
  )
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

/// Checks that the commands that write queues share.
enum QueueOutput {
  /// Refuses an output that is the queue itself or, without `overwrite`, any file.
  static func check(_ output: String, notOver queue: String, _ overwrite: Bool) throws {
    guard !MediaLocation.file(queue).isSameFile(as: output) else {
      throw MediaError(.outputUnwritable, "-o \(output): is the input; give another name")
    }
    try OutputPlace(output, overwrite: overwrite, as: "-o \(output):").checkFree()
  }

  /// Says that comments of `file` aren't in what was written to `output`.
  static func tellComments(of file: QueueFile, in output: String) {
    guard file.hasComments else { return }
    Terminal.error(PlainText.line("\(output): the comments of \(file.path) are lost") + "\n")
  }
}
