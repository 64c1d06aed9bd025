import AudioCore

/// One programme to be normalised, alone or with others under one gain.
package struct NormalizationProgramme {
  /// Hands the blocks of the rendered programme, in order, to `consume`, each with the number of its first
  /// sample, from the block that holds sample `first` on, until `consume` answers `false`.
  package typealias Read = (
    _ first: Int64, _ consume: (_ start: Int64, _ block: AudioBuffer) throws -> Bool
  ) throws -> Void

  /// Format of the rendered programme.
  package let format: AudioFormat
  /// What the rendered programme measured.
  package let statistics: LoudnessStatistics
  /// Figures of its steps.
  package let figures: StepFigures
  /// Reads it again; may be called several times.
  package let read: Read

  /// A programme of `format` that measured as `statistics` and `figures`.
  package init(
    format: AudioFormat, statistics: LoudnessStatistics, figures: StepFigures,
    read: @escaping Read
  ) {
    self.format = format
    self.statistics = statistics
    self.figures = figures
    self.read = read
  }
}
