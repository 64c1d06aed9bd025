import AudioCore

/// Runs whole programmes through a limiter and measures what comes out.
struct ReplayMeasurement {
  /// The programmes.
  let programmes: [NormalizationProgramme]
  /// Whether mono counts twice.
  let dualMono: Bool

  /// A programme whose true peak lies further below the ceiling than this, in dB, isn't run: the
  /// limiter's sharper detector can't find a peak there that the meter missed.
  private static let detectorMargin = 1.0

  /// The limited programmes: the result of each, and the figures of all together.
  struct Result {
    let limiters: [LimiterActivity?]
    let outputs: ProgrammeSet
  }

  /// Measures the programmes after a limiter; those too quiet to be limited aren't run.
  func limited(gainDB: Double, ceilingDB: Double, response: LimiterResponse) throws -> Result {
    var limiters: [LimiterActivity?] = []
    var outputs: [LoudnessStatistics] = []
    for programme in programmes {
      let scaled = programme.statistics.scaled(byDB: gainDB)
      guard let peak = scaled.truePeak, peak > ceilingDB - Self.detectorMargin else {
        limiters.append(nil)
        outputs.append(scaled)
        continue
      }
      let limiter = TruePeakLimiter(gainDB: gainDB, ceilingDB: ceilingDB, response: response)
      let output = try measure(programme, limiter)
      let fraction = Double(limiter.activeSamples) / Double(max(1, scaled.samples))
      limiters.append(
        LimiterActivity(
          maxReductionDB: limiter.maxReductionDB, activeFraction: fraction, response: response))
      outputs.append(output)
    }
    return Result(limiters: limiters, outputs: ProgrammeSet(outputs))
  }

  private func measure(
    _ programme: NormalizationProgramme, _ stage: AudioStage
  ) throws -> LoudnessStatistics {
    let format = try stage.prepare(programme.format)
    let meter = try LoudnessMeter(format: format, dualMono: dualMono)
    let output = AudioBuffer(channels: format.channels)
    var late = stage.latency
    func pass() throws {
      let dropped = min(late, output.frames)
      output.removeFirst(dropped)
      late -= dropped
      try meter.add(output)
      output.removeAll()
    }
    try programme.replay { block in
      try stage.process(block, into: output)
      try pass()
    }
    try stage.finish(into: output)
    try pass()
    return meter.statistics()
  }
}
