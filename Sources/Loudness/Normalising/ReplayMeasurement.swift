import AudioCore

/// Measures programmes as a limiter would leave them, by running it only where it has something to do.
///
/// Everywhere else its output is the programme times the gain, bit for bit, and so are the figures.
final class ReplayMeasurement {
  /// The limited programmes: the result of each, and the figures of all together.
  struct Result {
    let limiters: [LimiterActivity?]
    let outputs: ProgrammeSet
  }

  private let programmes: [NormalizationProgramme]
  private let dualMono: Bool
  private let bounds: [PeakBounds]

  /// Measures `programmes`; with `dualMono`, mono counts twice.
  init(programmes: [NormalizationProgramme], dualMono: Bool) {
    self.programmes = programmes
    self.dualMono = dualMono
    bounds = programmes.map(PeakBounds.init)
  }

  /// Measures the programmes after a limiter.
  /// - Throws: what reading a programme and the limiter throw.
  func limited(gainDB: Double, ceilingDB: Double, response: LimiterResponse) throws -> Result {
    var limiters: [LimiterActivity?] = []
    var outputs: [LoudnessStatistics] = []
    for (programme, bounds) in zip(programmes, bounds) {
      let trial = LimiterTrial(
        programme: programme, bounds: bounds, gainDB: gainDB, ceilingDB: ceilingDB,
        response: response, dualMono: dualMono)
      let (activity, output) = try trial.measure()
      limiters.append(activity)
      outputs.append(output)
    }
    return Result(limiters: limiters, outputs: ProgrammeSet(outputs))
  }
}
