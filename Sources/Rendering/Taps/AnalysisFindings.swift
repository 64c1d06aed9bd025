import Analysis
import Report

extension RenderReport.Analysis.Channel {
  /// What was found of one channel.
  init(_ found: LevelFindings.Channel) {
    self.init(
      name: found.name, peak: found.level.peakDBFS, rms: found.level.rmsDBFS,
      crestDB: found.level.crestDB, dcOffset: found.dcOffset, clippedRuns: found.clippedRuns,
      longestRun: found.longestRunSamples, peaks: .init(found.peakCurve),
      levels: .init(found.rmsCurve))
  }
}

extension RenderReport.Analysis.Curve {
  /// A curve of steps.
  init(_ found: StepCurve) {
    self.init(
      intervalSeconds: found.intervalSeconds,
      values: RenderReport.Curves.Curve(
        highest: found.highest, lowest: found.lowest == found.highest ? nil : found.lowest))
  }
}

extension RenderReport.Analysis.Phase {
  /// What was found of a pair.
  init(_ found: PhaseFindings) {
    self.init(
      channels: found.names, mean: found.mean, lowest: found.lowest,
      lowestAtSeconds: found.lowestAtSeconds, shareBelowZero: found.shareBelowZero,
      monoLossDB: found.monoLossDB, histogram: found.histogram, correlation: .init(found.curve))
  }
}

extension RenderReport.Analysis.Silence {
  /// Most runs in a report; a file holds more.
  private static let mostRuns = 1000

  /// What was found of silence.
  init(_ found: SilenceFindings) {
    self.init(
      thresholdDBFS: found.thresholdDBFS,
      leastSeconds: Double(found.leastSamples) / Double(found.sampleRate), count: found.count,
      samples: found.silentSamples,
      runs: found.silences.prefix(Self.mostRuns).map { .init(first: $0.first, samples: $0.count) })
  }
}

extension RenderReport.Analysis.BandLimit {
  /// What was found of the end of the band.
  init(_ found: BandLimitFindings) {
    self.init(
      highestHz: found.highestHz, edge: found.edge.rawValue, dropDB: found.dropDB,
      doubt: found.doubt.rawValue, sentence: found.sentence)
  }
}
