/// Decoded sound with its timestamps, nothing trimmed: what a decoder hands to the timeline.
package protocol TimedSource: AnyObject {
  /// What every block holds.
  var programme: Programme { get }
  /// Uncertainty of a timestamp in samples: deviations up to it are no gap.
  var timestampTolerance: Int64 { get }
  /// Samples of a codec frame, where all have the same length; 0 when they vary or nothing is known.
  var codecFrame: Int64 { get }
  /// Samples by which the clock's own steps may make a jump longer or shorter; 0 for a clock as
  /// fine as a sample.
  var clockUncertainty: Int64 { get }
  /// Appends the next samples with their object updates to `block`; `nil` at the end.
  ///
  /// The caller passes the same block every time and may drop samples in between, so a reader only
  /// states what changes.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into block: ProgrammeBlock) throws -> TimedBlock?
}
