// SPDX-License-Identifier: Apache-2.0

/// A picture of an HRTF set's interaural delays around the head, as a standalone SVG 1.1 file. The bytes depend on the
/// values alone.
package struct DelayPlot: Sendable {
  /// Heading, e.g. the file's name; any string.
  package var title: String
  /// The curves.
  package var delays: HRTFReport.Delays

  private static let measuredStyle =
    "stroke=\"#c2410c\" stroke-width=\"2\" stroke-dasharray=\"8 5\""
  private static let playedStyle = "stroke=\"#123f8c\" stroke-width=\"2.4\""

  /// A plot of `delays`.
  package init(title: String, delays: HRTFReport.Delays) {
    self.title = title
    self.delays = delays
  }

  /// The whole file.
  package func svg() -> String {
    let frame = PlotFrame(title: title, subject: "Interaural delays of")
    let across = PlotAxis(
      first: -180, last: 180, step: 30, start: PlotFrame.left, end: PlotFrame.right)
    let up = upright
    let lines =
      frame.opening + frame.heading(figures)
      + frame.grid(across: across, up: up, unit: "µs") { "\(SVGText.figure($0, 0))°" }
      + curves(across, up)
      + frame.legend([
        .init(label: "as measured", style: DelayPlot.measuredStyle),
        .init(label: "as played", style: DelayPlot.playedStyle),
      ])
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private var figures: [String] {
    [
      "the head that was measured delays as a sphere of \(SVGText.figure(delays.headRadiusCm, 2)) cm does",
      "played × \(SVGText.figure(delays.scale, 3))", "azimuth to the left, at ear height",
    ]
  }

  private var upright: PlotAxis {
    let values = (delays.measured + delays.played).filter(\.isFinite)
    let most = min(3000, max(200, values.map(\.magnitude).max() ?? 0))
    let edge = (most / 200).rounded(.up) * 200
    return PlotAxis(
      first: -edge, last: edge, step: 200, start: PlotFrame.bottom, end: PlotFrame.top)
  }

  private func curves(_ across: PlotAxis, _ up: PlotAxis) -> [String] {
    PlotFrame.lines(
      [
        (delays.measured, DelayPlot.measuredStyle), (delays.played, DelayPlot.playedStyle),
      ].map { values, style in
        let points = zip(delays.azimuths, values).filter { $0.0.isFinite && $0.1.isFinite }
          .map { (x: across.position($0), y: up.position($1)) }
        return (points, style)
      })
  }
}

/// A picture of an HRTF set's diffuse field before and after processing, as a standalone SVG 1.1
/// file. The bytes depend on the values alone.
package struct DiffuseFieldPlot: Sendable {
  /// Heading, e.g. the file's name; any string.
  package var title: String
  /// The curves.
  package var field: HRTFReport.DiffuseField

  private static let measuredStyle =
    "stroke=\"#c2410c\" stroke-width=\"2\" stroke-dasharray=\"8 5\""
  private static let processedStyle = "stroke=\"#123f8c\" stroke-width=\"2.4\""

  /// A plot of `field`.
  package init(title: String, field: HRTFReport.DiffuseField) {
    self.title = title
    self.field = field
  }

  /// The whole file.
  package func svg() -> String {
    let frame = PlotFrame(title: title, subject: "Diffuse field of")
    let across = PlotAxis.frequency(start: PlotFrame.left, end: PlotFrame.right)
    let up = levelAxis
    let lines =
      frame.opening + frame.heading(figures)
      + frame.grid(across: across, up: up, unit: "dB", label: PlotAxis.hertz)
      + curves(across, up)
      + frame.legend([
        .init(label: "as measured", style: DiffuseFieldPlot.measuredStyle),
        .init(label: "as played", style: DiffuseFieldPlot.processedStyle),
      ])
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private var figures: [String] {
    [("as measured", field.measuredDB), ("as played", field.processedDB)].map { name, levels in
      "\(name): range \(SVGText.figure(field.range(of: levels))) dB, "
        + "50 Hz at \(SVGText.figure(field.bass(of: levels))) dB"
    } + ["power over all directions, thirds of an octave"]
  }

  private var levelAxis: PlotAxis {
    let levels = (field.measuredDB + field.processedDB).filter(\.isFinite)
    return .level(
      lowest: max(-60, min(levels.min() ?? 0, 0) - 1), highest: min(40, (levels.max() ?? 0) + 3),
      top: PlotFrame.top, bottom: PlotFrame.bottom)
  }

  private func curves(_ across: PlotAxis, _ up: PlotAxis) -> [String] {
    PlotFrame.lines(
      [
        (field.measuredDB, DiffuseFieldPlot.measuredStyle),
        (field.processedDB, DiffuseFieldPlot.processedStyle),
      ].map { levels, style in
        let points = zip(field.frequenciesHz, levels)
          .filter { $0.0 > 0 && $0.0.isFinite && $0.1.isFinite }
          .map { (x: across.position($0), y: up.position(max(up.first - 5, $1))) }
        return (points, style)
      })
  }
}
