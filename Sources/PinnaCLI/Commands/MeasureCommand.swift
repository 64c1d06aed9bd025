// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import Inspection
import Loudness
import Platform
import Rendering
import Report

/// `pinna measure`.
struct MeasureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Measure loudness and true peak; writes no audio.")

  @Argument(help: "Media files, folders of them, http(s) URLs or playlists of HLS.")
  var paths: [String]
  @Flag(help: "Print JSON, one object for one file, an array for several.") var json = false
  @Flag(help: "Print CSV (RFC 4180), one column per figure.") var csv = false
  @Flag(help: "Measure all files together, too, as one programme.") var album = false
  @Flag(help: "Measure mono as two equal channels (+3 LU).") var dualMono = false
  @Flag(help: "Measure the loudness of dialogue, too, and find where people speak.")
  var dialogue = false
  @Option(help: "Layout to measure, e.g. 7.1.4; objects are rendered to it (default 5.1.4).")
  var layout: Given<ChannelLayout>?
  @Flag(
    help:
      "Give the JSON the loudness every 100 ms, the file's SHA-256 and the date: see pinna report."
  )
  var series = false
  @Option(
    help: ArgumentHelp(
      "Draw loudness over time to this SVG file; for several inputs to NAME.svg in this folder.",
      valueName: "file"))
  var plot: String?
  @Option(parsing: .unconditional, help: "Target line of the plot in LUFS (default -16), or off.")
  var target: String?
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace existing plots.")
  var overwrite = false
  @OptionGroup(title: "Input") var input: InputArguments
  @OptionGroup(title: "Run") var run_: MeasureRunArguments

  mutating func run() async throws {
    guard !(json && csv) else { throw MediaError(.usage, "--json and --csv: choose one") }
    guard json || !series else { throw MediaError(.usage, "--series: needs --json; add it") }
    let paths = try self.paths.flatMap { try FolderInputs.files(in: $0) ?? [$0] }
    var measurer = MediaMeasurer()
    measurer.decoding = try input.options()
    measurer.isDualMono = dualMono
    measurer.findsDialogue = dialogue
    measurer.layout = try layout?.value(.outputLayout)
    measurer.keepsSeries = series || plot != nil
    measurer.date = series ? SystemClock.date : nil
    let display = MeasureDisplay(
      style: try run_.style(), paths: paths, isQuiet: run_.quiet)
    guard plot != nil || target == nil else {
      throw MediaError(.usage, "--target: is a line of the plot; add --plot")
    }
    let plots = try plot.map {
      try PlotOutput(plot: $0, target: target ?? "-16", inputs: paths, overwrite: overwrite)
    }
    let runner = MeasureRunner(
      measurer: measurer, limit: try run_.limit(), plots: plots, keepsSeries: series,
      display: display)
    let work = Task { await runner.run(paths) }
    let watch = InterruptWatch { work.cancel() }
    let (measured, code) = await work.value
    try show(measured, isSingle: paths == self.paths)
    let status = code == MeasureRunner.stopped ? watch.exitCode : code
    if status != 0 { throw ExitStatus(code: status) }
  }

  /// Prints the figures; `isSingle` says that a single file was named itself, not its folder.
  private func show(_ measured: [MediaMeasurer.Measured], isSingle: Bool) throws {
    let reports = measured.map(\.report)
    let together = album && !reports.isEmpty ? MediaMeasurer.album(measured) : nil
    if let together, json {
      Terminal.output(try ReportJSON.pretty(together))
    } else if json {
      let single = reports.count == 1 && paths.count == 1 && isSingle
      Terminal.output(
        try single ? ReportJSON.pretty(reports[0]) : ReportJSON.pretty(reports))
    } else if csv {
      Terminal.output(data: MeasureTable.csv(reports, together))
    } else if !reports.isEmpty {
      Terminal.output(MeasureTable.text(reports, together))
    }
    guard !json else { return }
    for report in reports {
      noteDoubts(report, name: reports.count > 1 ? "\(report.input.path): " : "")
    }
  }

  /// Names how far dialogue can be relied on and what is wrong with a file, of which figures alone say nothing.
  private func noteDoubts(_ report: MeasureReport, name: String) {
    let found = report.degradations.filter { [.damage, .doubt].contains($0.class) }
    let dialogue = report.dialogue.map {
      LabelledLine(label: "dialogue", text: name + $0.summary)
    }
    Terminal.show(
      [dialogue].compactMap { $0 }
        + found.map {
          LabelledLine(
            label: "degraded",
            text: "\(name)\($0.message) (\($0.code.rawValue), \($0.class.rawValue))",
            tone: .degraded)
        })
  }
}

/// How a measuring run behaves.
struct MeasureRunArguments: ParsableArguments {
  @Option(
    name: [.customShort("j")], help: "Files measured at once (default: the number of cores).")
  var jobs: Int?
  @Option(help: "Progress on stderr: auto, none or ndjson.")
  var progress = Given(ProgressDisplay.Style.auto)
  @OptionGroup var colours: ColourArguments
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only figures and errors.")
  var quiet = false

  /// Files measured at once.
  func limit() throws -> Int {
    guard let jobs else { return max(1, ProcessInfo.processInfo.activeProcessorCount) }
    guard jobs > 0 else { throw MediaError(.usage, "-j \(jobs): give 1 or more") }
    return jobs
  }

  /// The style of progress asked for.
  func style() throws -> ProgressDisplay.Style { try progress.value(.progress) }
}

/// Measures several files at once; when one fails, the others are still measured.
struct MeasureRunner: Sendable {
  /// The exit code when a signal stopped the run.
  static let stopped = MediaError(.interrupted, "").exitCode

  let measurer: MediaMeasurer
  /// Files measured at once.
  let limit: Int
  /// Files of the plots; `nil` draws none.
  let plots: PlotOutput?
  /// Whether the reports keep the loudness over time.
  let keepsSeries: Bool
  let display: MeasureDisplay

  private typealias Outcome = Result<MediaMeasurer.Measured, MediaError>

  /// Measures all files, each on a thread of its own.
  /// - Returns: the measurements in the order of `paths`, and the exit code: ``stopped``, else that
  ///   of the first file in this order that failed.
  func run(_ paths: [String]) async -> ([MediaMeasurer.Measured], Int32) {
    let outcomes = await AtOnce.run(paths.count, limit: limit) { measure(paths[$0], $0) }
    display.clear()
    let codes = outcomes.map { MeasureRunner.code($0) }
    let wasStopped = codes.contains(MeasureRunner.stopped)
    let code = wasStopped ? MeasureRunner.stopped : codes.first { $0 != 0 } ?? 0
    return (outcomes.compactMap { try? $0?.get() }, code)
  }

  private func measure(_ path: String, _ index: Int) -> Outcome {
    do {
      var measured = try measurer.measureAll(path: path) { display.show($0, of: index) }
      try plots?.write(measured.report, of: index)
      // The series of many long files would take much memory.
      if !keepsSeries { measured.report.series = nil }
      display.finish(index)
      return .success(measured)
    } catch {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      display.fail(index, failure.message)
      return .failure(failure)
    }
  }

  /// A file that was never begun counts as stopped.
  private static func code(_ outcome: Outcome?) -> Int32 {
    switch outcome {
    case .success: return 0
    case .failure(let failure): return failure.exitCode
    case nil: return stopped
    }
  }
}
