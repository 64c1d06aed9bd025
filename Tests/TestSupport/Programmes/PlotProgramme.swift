// SPDX-License-Identifier: Apache-2.0
import Report

/// Loudness over time as real programmes have it, made without a meter.
package enum PlotProgramme {
  /// Speech-like loudness of `seconds`: sentences, pauses and a slow drift, around −20 LUFS.
  package static func series(seconds: Double) -> RenderReport.Series {
    let count = Int(seconds * 10)
    var seed: UInt64 = 7
    func random() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 33) / Double(1 << 31)
    }
    var energies: [Double] = []
    for index in 0..<count {
      let drift = Double(index % 6000) / 6000 * 8
      let isPause = index % 97 > 88
      energies.append(-24 + drift + 9 * (random() - 0.5) - (isPause ? 30 + 20 * random() : 0))
    }
    func window(_ length: Int) -> [Double?] {
      energies.indices.map { end in
        guard end >= length - 1 else { return nil }
        return energies[(end - length + 1)...end].reduce(0, +) / Double(length)
      }
    }
    return RenderReport.Series(momentary: window(4), shortTerm: window(30))
  }

  /// Levels that go with ``series(seconds:)``.
  package static func levels(_ series: RenderReport.Series) -> RenderReport.Levels {
    let momentary = series.momentary.compactMap { $0 }.max()
    return RenderReport.Levels(
      integrated: -20.1, momentaryMax: momentary,
      shortTermMax: series.shortTerm.compactMap { $0 }.max(), range: 9.4, truePeak: -1.2,
      channelTruePeaks: [-1.2, -2], samplePeak: -1.4, short: false)
  }

  /// A plot of `seconds` of it.
  package static func plot(seconds: Double, title: String = "film.mkv") -> LoudnessPlot {
    let series = series(seconds: seconds)
    return LoudnessPlot(
      title: title, duration: seconds, levels: levels(series), series: series, target: -16,
      relativeGate: -30.3)
  }

  /// A plot of a programme without curves.
  package static func empty(seconds: Double, short: Bool) -> LoudnessPlot {
    LoudnessPlot(
      title: "empty.wav", duration: seconds,
      levels: RenderReport.Levels(
        integrated: short ? -23.4 : nil, momentaryMax: nil, shortTermMax: nil, range: nil,
        truePeak: short ? -6 : nil, channelTruePeaks: [nil], samplePeak: nil, short: short),
      series: RenderReport.Series(
        momentary: [Double?](repeating: nil, count: Int(seconds * 10)),
        shortTerm: [Double?](repeating: nil, count: Int(seconds * 10))), target: -16)
  }
}
