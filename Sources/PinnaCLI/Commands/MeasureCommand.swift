import ArgumentParser
import AudioCore
import Inspection
import Report

/// `pinna measure`.
struct MeasureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Measure loudness and true peak; writes no audio.")

  @Argument(help: "Media files, http(s) URLs or playlists of HLS.") var paths: [String]
  @Flag(help: "Print JSON, one object for one file, an array for several.") var json = false
  @Flag(help: "Print CSV (RFC 4180), one column per figure.") var csv = false
  @Flag(help: "Measure mono as two equal channels (+3 LU).") var dualMono = false
  @Option(help: "Layout to measure, e.g. 7.1.4; objects are rendered to it (default 5.1.4).")
  var layout: String?
  @Flag(help: "Give the JSON the loudness every 100 ms.") var series = false
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
    let paths = self.paths
    var measurer = MediaMeasurer()
    measurer.decoding = try input.options()
    measurer.isDualMono = dualMono
    measurer.layout = try layout.map { try Choice.layout($0, "--layout") }
    measurer.keepsSeries = series || plot != nil
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
    let (reports, code) = await work.value
    try show(reports)
    let status = code == MeasureRunner.stopped ? watch.exitCode : code
    if status != 0 { throw ExitStatus(code: status) }
  }

  private func show(_ reports: [MeasureReport]) throws {
    if json {
      let single = reports.count == 1 && paths.count == 1
      Terminal.output(
        try single ? ReportJSON.pretty(reports[0]) : ReportJSON.pretty(reports))
    } else if csv {
      Terminal.output(data: MeasureTable.csv(reports))
    } else if !reports.isEmpty {
      Terminal.output(MeasureTable.text(reports))
    }
  }
}
