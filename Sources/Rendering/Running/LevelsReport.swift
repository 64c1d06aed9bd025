import Loudness
import Report

/// Turns measurements into their part of a report.
package enum LevelsReport {
  /// The figures of a measurement as reports list them.
  package static func levels(_ measured: LoudnessMeasurement) -> RenderReport.Levels {
    RenderReport.Levels(
      integrated: measured.integrated, momentaryMax: measured.momentaryMax,
      shortTermMax: measured.shortTermMax, range: measured.range, truePeak: measured.truePeak,
      channelTruePeaks: measured.channelTruePeaks, samplePeak: measured.samplePeak,
      short: measured.isShort)
  }

  /// Loudness over time, to the hundredth of an LU.
  package static func series(_ measured: LoudnessStatistics) -> RenderReport.Series {
    RenderReport.Series(
      intervalSeconds: LoudnessSeries.interval, momentary: rounded(measured.momentary),
      shortTerm: rounded(measured.shortTerm))
  }

  /// Curves of a programme `before` the gain and `after` it, to the hundredth; `reductions` are those of
  /// each 100 ms, `spectra` the levels of ``LongTermSpectrum/frequencies`` before and after.
  package static func curves(
    before: LoudnessStatistics, after: LoudnessStatistics, reductions: [Double]?,
    spectra: (before: [Double?], after: [Double?])
  ) -> RenderReport.Curves {
    let momentary = rounded(before.momentary)
    let count = momentary.count
    let width = RenderReport.Curves.width(for: count)
    var curves = RenderReport.Curves(
      intervalSeconds: Double(width) / 10,
      inputMomentary: RenderReport.Curves.Curve(momentary, width: width),
      inputShortTerm: RenderReport.Curves.Curve(rounded(before.shortTerm), width: width))
    if let reductions {
      let rest = [Double?](repeating: 0, count: max(0, count - reductions.count))
      let steps = rounded(reductions.map { $0 } + rest)
      curves.gainReductionDB =
        RenderReport.Curves.Curve(steps, width: width).highest.map { $0 ?? 0 }
    }
    curves.inputTruePeakSeconds = rounded([before.truePeakTime])[0]
    curves.outputTruePeakSeconds = rounded([after.truePeakTime])[0]
    if !spectra.before.isEmpty, !spectra.after.isEmpty {
      curves.spectrum = RenderReport.Curves.Spectrum(
        frequenciesHz: LongTermSpectrum.frequencies.map { ($0 * 10).rounded() / 10 },
        inputDB: rounded(spectra.before), outputDB: rounded(spectra.after))
    }
    return curves
  }

  private static func rounded(_ values: consuming [Double?]) -> [Double?] {
    for index in values.indices { values[index] = values[index].map { ($0 * 100).rounded() / 100 } }
    return values
  }
}
