import AudioCore

/// Runs a whole programme through a gain or a limiter and measures what comes out.
struct ReplayMeasurement {
  /// Format of the programme.
  let format: AudioFormat
  /// Whether mono counts twice.
  let dualMono: Bool

  /// Measures the programme after plain gain.
  func plain(
    gainDB: Double, replay: LoudnessNormalizer.Replay
  ) throws -> LoudnessMeasurement {
    try measure(GainStage(gainDB: gainDB), replay: replay)
  }

  /// Measures the programme after a limiter.
  func limited(
    gainDB: Double, ceilingDB: Double, response: LimiterResponse,
    replay: LoudnessNormalizer.Replay
  ) throws -> NormalizationPlan {
    let limiter = TruePeakLimiter(gainDB: gainDB, ceilingDB: ceilingDB, response: response)
    let output = try measure(limiter, replay: replay)
    let fraction = Double(limiter.activeSamples) / Double(max(1, output.samples))
    let activity = LimiterActivity(
      maxReductionDB: limiter.maxReductionDB, activeFraction: fraction, response: response)
    return NormalizationPlan(
      gainDB: gainDB, limiterCeilingDB: ceilingDB, limiter: activity, output: output)
  }

  private func measure(
    _ stage: AudioStage, replay: LoudnessNormalizer.Replay
  ) throws -> LoudnessMeasurement {
    let meter = try LoudnessMeter(format: try stage.prepare(format), dualMono: dualMono)
    let output = AudioBuffer(channels: format.channels)
    var late = stage.latency
    func pass() throws {
      let dropped = min(late, output.frames)
      output.removeFirst(dropped)
      late -= dropped
      try meter.add(output)
      output.removeAll()
    }
    try replay { block in
      try stage.process(block, into: output)
      try pass()
    }
    try stage.finish(into: output)
    try pass()
    return meter.measurement()
  }
}
