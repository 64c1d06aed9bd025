// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut
import Platform
import Rendering
import Report

/// The files for the loudness plots of a measuring run.
struct PlotOutput: Sendable {
  /// The file of each input, in the order of the inputs.
  private let places: [String]
  /// Target line, LUFS.
  private let target: Double?

  /// Plots at `plot`: a file for a single input, else a folder that gets NAME.svg for each input
  /// NAME, its extension included.
  /// - Throws: ``MediaError`` when a plot would replace an input or, without `overwrite`, any file.
  init(plot: String, target: String, inputs: [String], overwrite: Bool) throws {
    self.target = try PlotOutput.target(target)
    places = try PlotOutput.places(plot, inputs)
    for place in places { try PlotPlace.check(place, inputs, overwrite) }
  }

  /// Draws `report`, the measurement of the input with this index.
  func write(_ report: MeasureReport, of index: Int) throws {
    guard let series = report.series else {
      throw MediaError(
        .internal, about: report.input.path,
        "its loudness over time wasn't kept, so it can't be drawn")
    }
    var plot = LoudnessPlot(
      title: PlotOutput.name(of: report.input.path),
      duration: Double(report.samples) / Double(max(1, report.input.rate)),
      levels: report.levels, series: series, target: target, relativeGate: report.relativeGate)
    plot.dialogue = report.dialogue
    try TextFile.write(plot.svg(), to: places[index])
  }

  private static func target(_ text: String) throws -> Double? {
    if text == "off" { return nil }
    let value = try Given<Double>(argument: text).value(of: "--target")
    let allowed = Setting.loudness.row.value
    guard allowed.range.contains(value) else {
      throw MediaError(.usage, "--target \(text): give \(allowed.allowed(minus: "−"))")
    }
    return value
  }

  private static func places(_ plot: String, _ inputs: [String]) throws -> [String] {
    try PlotPlace.checkName(plot)
    guard PathParts.endsInSlash(plot) || PathParts.isFolder(plot) else {
      guard inputs.count == 1 else {
        throw MediaError(
          .usage, "--plot \(plot): several inputs need a folder; end its name in /, and it is made")
      }
      return [plot]
    }
    let folder = PathParts.start(of: plot)
    let places = inputs.map { folder + name(of: $0) + ".svg" }
    guard !places.hasTwinNames else {
      throw MediaError(
        .usage, "--plot \(plot): two inputs would be drawn to the same name; rename one")
    }
    return places
  }

  private static func name(of path: String) -> String {
    PathParts.of(path).last ?? path
  }
}

/// Checks on plots and pages before any work is done for them.
enum PlotPlace {
  /// Refuses standard output, which carries the figures.
  static func checkName(_ plot: String) throws {
    guard plot != "-" else {
      throw MediaError(
        .usage, "--plot -: standard output carries the figures; give a file name")
    }
  }

  /// Whether what `option` names may be written to `place`.
  /// - Throws: ``MediaError`` when it would replace an input or, without `overwrite`, any file.
  static func check(
    _ place: String, _ inputs: [String], _ overwrite: Bool, option: String = "--plot"
  ) throws {
    for input in inputs where MediaLocation.file(input).isSameFile(as: place) {
      throw MediaError(.outputUnwritable, "\(option) \(place): is an input; give another name")
    }
    let output = OutputPlace(place, overwrite: overwrite, as: "\(option) \(place):")
    try output.checkFree()
    try output.checkFolder()
  }
}
