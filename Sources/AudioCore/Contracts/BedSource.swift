/// The plain channels of a programme that is one bed, for code that only compares or measures samples.
package final class BedSource: AudioSource {
  /// Format of every block.
  package let format: AudioFormat

  private let source: any ProgrammeSource

  /// The channels of `source`.
  /// - Parameter user: who needs the channels; an error message begins with this name.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when it isn't one bed.
  package init(_ source: any ProgrammeSource, for user: String) throws {
    self.source = source
    format = try source.programme.bedFormat(for: user)
  }

  /// Appends the next samples to `buffer`; `false` when nothing is left.
  /// - Throws: what the source throws.
  package func read(into buffer: AudioBuffer) throws -> Bool {
    // A bed has no objects whose states a new block could forget.
    try source.read(into: ProgrammeBlock(source.programme, audio: buffer))
  }
}
