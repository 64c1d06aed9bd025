import Loudness
import Report

/// Turns a measurement into its part of a report.
enum LevelsReport {
  static func levels(_ measured: LoudnessMeasurement) -> RenderReport.Levels {
    RenderReport.Levels(
      integrated: measured.integrated, momentaryMax: measured.momentaryMax,
      shortTermMax: measured.shortTermMax, range: measured.range, truePeak: measured.truePeak,
      channelTruePeaks: measured.channelTruePeaks, samplePeak: measured.samplePeak,
      short: measured.isShort)
  }
}
