import Loudness
import Report

/// Turns measurements into their part of a report.
enum LevelsReport {
  static func levels(_ measured: LoudnessMeasurement) -> RenderReport.Levels {
    RenderReport.Levels(
      integrated: measured.integrated, momentaryMax: measured.momentaryMax,
      shortTermMax: measured.shortTermMax, range: measured.range, truePeak: measured.truePeak,
      channelTruePeaks: measured.channelTruePeaks, samplePeak: measured.samplePeak,
      short: measured.isShort)
  }

  /// Loudness over time, to the hundredth of an LU.
  static func series(_ series: LoudnessSeries) -> RenderReport.Series {
    func rounded(_ values: [Double?]) -> [Double?] {
      values.map { value in value.map { ($0 * 100).rounded() / 100 } }
    }
    return RenderReport.Series(
      intervalSeconds: LoudnessSeries.interval, momentary: rounded(series.momentary),
      shortTerm: rounded(series.shortTerm))
  }
}
