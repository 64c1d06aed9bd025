// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The one gain that brings a programme, or a set of them, to its target, and what comes out of it.
package struct NormalizationPlan: Sendable, Equatable {
  package typealias Outcome = GainOutcome

  /// The treatment of one programme.
  ///
  /// With a limiter, `TruePeakLimiter(gainDB: gainDB, ceilingDB: limiterCeilingDB)` with its response
  /// gives exactly the measured signal, its first `latency` samples dropped; without,
  /// `GainStage(gainDB: gainDB)` does.
  package struct Track: Sendable, Equatable {
    /// Activity of the limiter; `nil` for plain gain.
    package var limiter: LimiterActivity?
    /// Parts in which the limiter has nothing to do; `nil` for plain gain.
    package var quiet: QuietSteps?
    /// Measurement of what is delivered: worked out for plain gain, measured with a limiter.
    package var output: LoudnessMeasurement

    /// A track from its values.
    package init(
      limiter: LimiterActivity? = nil, quiet: QuietSteps? = nil, output: LoudnessMeasurement
    ) {
      self.limiter = limiter
      self.quiet = quiet
      self.output = output
    }
  }

  /// Constant gain in dB, the same for every programme.
  package var gainDB: Double
  /// Ceiling for the limiters in dBTP, at or below the target's; `nil` for plain gain.
  package var limiterCeilingDB: Double?
  /// The programmes, in order.
  package var tracks: [Track]
  /// Measurement of all programmes together.
  package var output: LoudnessMeasurement
  /// How the gain came about.
  package var outcome: Outcome

  /// Activity of the limiters in all programmes together; `nil` when none was needed.
  package var limiter: LimiterActivity? {
    let active = tracks.compactMap(\.limiter)
    guard let first = active.first else { return nil }
    let samples = tracks.reduce(0) { $0 + Double($1.output.samples) }
    let limited = tracks.reduce(0) {
      $0 + ($1.limiter?.activeFraction ?? 0) * Double($1.output.samples)
    }
    return LimiterActivity(
      maxReductionDB: active.map(\.maxReductionDB).max() ?? 0,
      activeFraction: samples > 0 ? limited / samples : 0, response: first.response)
  }

  /// A plan from its values; units as in the properties.
  package init(
    gainDB: Double, limiterCeilingDB: Double? = nil, tracks: [Track],
    output: LoudnessMeasurement, outcome: Outcome
  ) {
    self.gainDB = gainDB
    self.limiterCeilingDB = limiterCeilingDB
    self.tracks = tracks
    self.output = output
    self.outcome = outcome
  }
}

/// How much a limiter had to do.
package struct LimiterActivity: Sendable, Equatable, Codable {
  /// Largest gain reduction in dB, not below 0.
  package var maxReductionDB: Double
  /// Part of the programme's samples whose gain was reduced, 0…1.
  package var activeFraction: Double
  /// The response that reached the target.
  package var response: LimiterResponse

  /// Activity from its values; units as in the properties.
  package init(
    maxReductionDB: Double, activeFraction: Double, response: LimiterResponse = .gentle
  ) {
    self.maxReductionDB = maxReductionDB
    self.activeFraction = activeFraction
    self.response = response
  }
}

/// One programme to be normalised, alone or with others under one gain.
package struct NormalizationProgramme {
  /// Hands the blocks of the rendered programme, in order, to `consume`, each with the number of its first
  /// sample, from the block that holds sample `first` on, until `consume` answers `false`.
  package typealias Read = (
    _ first: Int64, _ consume: (_ start: Int64, _ block: AudioBuffer) throws -> Bool
  ) throws -> Void

  /// Format of the rendered programme.
  package let format: AudioFormat
  /// Measurement of the rendered programme.
  package let statistics: LoudnessStatistics
  package let figures: StepFigures
  /// How often each 100 ms counts where the loudness that is brought to the target is that of some of them, without a gate;
  /// `nil` for the gated loudness of all.
  package var weights: [Int]?
  /// Reads it again; may be called several times.
  package let read: Read

  /// The loudness that is brought to the target, in LUFS; `nil` for silence.
  package var loudness: Double? {
    ProgrammeSet([statistics], weights: [weights]).level(.programme)
  }

  /// A programme of `format` that measured as `statistics` and `figures`.
  package init(
    format: AudioFormat, statistics: LoudnessStatistics, figures: StepFigures,
    weights: [Int]? = nil, read: @escaping Read
  ) {
    self.format = format
    self.statistics = statistics
    self.figures = figures
    self.weights = weights
    self.read = read
  }
}
