import AudioCore

/// One programme to be normalised, alone or with others under one gain.
package struct NormalizationProgramme {
  /// Hands every block of the rendered programme, in order, to its argument.
  package typealias Replay = (_ consume: (AudioBuffer) throws -> Void) throws -> Void

  /// Format of the rendered programme.
  package let format: AudioFormat
  /// What the rendered programme measured.
  package let statistics: LoudnessStatistics
  /// Runs the whole programme past its closure, block by block; may be called several times.
  package let replay: Replay

  /// A programme of `format` that measured as `statistics`.
  package init(
    format: AudioFormat, statistics: LoudnessStatistics, replay: @escaping Replay
  ) {
    self.format = format
    self.statistics = statistics
    self.replay = replay
  }
}
