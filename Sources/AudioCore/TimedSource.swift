/// Decoded audio with its timestamps, nothing trimmed: what a decoder hands to the timeline.
public protocol TimedSource: AnyObject {
  /// Format of every block.
  var format: AudioFormat { get }
  /// Uncertainty of a timestamp in samples: deviations up to it are no gap.
  var timestampTolerance: Int64 { get }
  /// Appends the next block to `buffer`; `nil` at the end.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into buffer: AudioBuffer) throws -> TimedBlock?
}
