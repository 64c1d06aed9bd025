/// Something that delivers plain channels in order, once; see ``ProgrammeSource`` for what decoders deliver.
package protocol AudioSource: AnyObject {
  /// Format of every block.
  var format: AudioFormat { get }
  /// Appends the next samples to `buffer`; answers `false` when nothing is left.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into buffer: AudioBuffer) throws -> Bool
}
