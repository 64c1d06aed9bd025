// SPDX-License-Identifier: Apache-2.0

/// The long-term spectrum before and after, in thirds of an octave.
struct SpectrumFigure {
  let spectrum: RenderReport.Curves.Spectrum
  /// Makes ids unique.
  let id: String
  /// Small pictures are lower.
  let isSmall: Bool
  /// Names of the two curves.
  var names = (before: "before", after: "after")

  /// Most bands drawn: a report that is read from a file may list any number.
  private static let most = 64
  private static let units = 960.0
  private static let top = 20.0
  private var height: Double { isSmall ? 140 : 220 }

  /// The figure; `nil` when there is nothing to draw.
  var markup: Markup? {
    let count = min(
      SpectrumFigure.most, spectrum.frequenciesHz.count, spectrum.inputDB.count,
      spectrum.outputDB.count)
    let before = SpectrumFigure.clean(spectrum.inputDB.prefix(count))
    let after = SpectrumFigure.clean(spectrum.outputDB.prefix(count))
    let levels = (before + after).compactMap { $0 }
    guard count > 1, let highest = levels.max(), let lowest = levels.min() else { return nil }
    let axis = PlotAxis.level(
      lowest: max(lowest, highest - 70) - 1, highest: highest + 1, top: 0, bottom: height)
    var panel = PlotSheet.Panel(
      top: SpectrumFigure.top, height: height, axis: axis, unit: "dBFS")
    panel.curves = [
      Markup("path", ["class": "before", "d": steps(before, axis)]),
      Markup("path", ["class": "after", "d": steps(after, axis)]),
    ]
    let sheet = PlotSheet(
      units: SpectrumFigure.units, id: id,
      title: "Long-term spectrum, \(names.before) and \(names.after)",
      description: description(before, after),
      height: SpectrumFigure.top + height + PlotSheet.foot, ticks: ticks(count), panels: [panel],
      across: "Frequency, in thirds of an octave")
    let key = PlotKey(entries: [
      .init(label: names.after, look: "after"), .init(label: names.before, look: "before"),
    ])
    let note = Markup(
      "p", ["class": "note"], text: "0 dBFS is a sine at full scale in all channels.")
    return Markup("figure", [:], [Markup("figcaption", [:], [key.markup]), sheet.markup, note])
  }

  private static func clean(_ levels: ArraySlice<Double?>) -> [Double?] {
    levels.map { level in level.flatMap { $0.isFinite ? max(-200, min(100, $0)) : nil } }
  }

  /// A level line for each band.
  private func steps(_ levels: [Double?], _ axis: PlotAxis) -> String {
    let width = SpectrumFigure.units / Double(levels.count)
    var data = ""
    var isOpen = false
    for (index, level) in levels.enumerated() {
      guard let level else {
        isOpen = false
        continue
      }
      let y = SVGText.coordinate(axis.position(max(level, axis.first - 5)))
      let x = SVGText.coordinate(Double(index) * width)
      data += isOpen ? "V\(y)" : "M\(x) \(y)"
      data += "H" + SVGText.coordinate(Double(index + 1) * width)
      isOpen = true
    }
    return data
  }

  /// Names the band in the middle of each octave; every other name is major.
  private func ticks(_ count: Int) -> [(name: String, place: Double, isMajor: Bool)] {
    spectrum.frequenciesHz.prefix(count).enumerated().compactMap { index, frequency in
      guard frequency.isFinite, frequency > 0, frequency < 1e6, index % 3 == 1 else { return nil }
      return (
        SpectrumFigure.name(frequency), (Double(index) + 0.5) / Double(count), index % 6 == 4
      )
    }
  }

  /// The nominal frequency (IEC 61260-1) of the band in the middle of an octave.
  private static func name(_ frequency: Double) -> String {
    let nominal = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    let near = nominal.first { ($0 / frequency - 1).magnitude < 0.02 } ?? frequency
    return near >= 1000
      ? SVGText.coordinate(near / 1000) + " kHz" : SVGText.coordinate(near) + " Hz"
  }

  private func description(_ before: [Double?], _ after: [Double?]) -> String {
    func loudest(_ levels: [Double?]) -> String {
      let found = levels.enumerated().compactMap { index, level in level.map { (index, $0) } }
        .max { $0.1 < $1.1 }
      guard let (index, level) = found else { return "silence" }
      return "\(PageText.figure(level, "dBFS", 1)) at "
        + "\(PageText.figure(spectrum.frequenciesHz[index], "Hz", 0))"
    }
    return "Level in thirds of an octave from 25 Hz to 20 kHz. Highest \(names.before): "
      + "\(loudest(before)); \(names.after): \(loudest(after))."
  }
}
