import AudioCore

/// One programme to be normalised, alone or with others under one gain.
public struct NormalizationProgramme {
  /// Hands every block of the rendered programme, in order, to its argument.
  public typealias Replay = (_ consume: (AudioBuffer) throws -> Void) throws -> Void

  /// Format of the rendered programme.
  public let format: AudioFormat
  /// What the rendered programme measured.
  public let statistics: LoudnessStatistics
  /// Runs the whole programme past its closure, block by block; may be called several times.
  public let replay: Replay

  /// A programme of `format` that measured as `statistics`.
  public init(
    format: AudioFormat, statistics: LoudnessStatistics, replay: @escaping Replay
  ) {
    self.format = format
    self.statistics = statistics
    self.replay = replay
  }
}
