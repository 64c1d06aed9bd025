/// Decoded sound with its timestamps, before any trimming; the timeline reads it.
package protocol TimedSource: AnyObject {
  /// What every block holds.
  var programme: Programme { get }
  /// Greatest error of a timestamp, in samples; a deviation up to it counts as neither gap nor overlap.
  var timestampTolerance: Int64 { get }
  /// Samples of a codec frame, where all have the same length; 0 when they vary or nothing is known.
  var codecFrame: Int64 { get }
  /// Greatest error of a jump's length, in samples, that comes from rounding times to the container's
  /// ticks; 0 where every sample falls on a tick.
  var clockUncertainty: Int64 { get }
  /// Appends the next samples with their object updates to `block`; `nil` at the end.
  ///
  /// The caller passes the same block every time and may drop samples in between, so a reader adds an
  /// update only where an object's state changes.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into block: ProgrammeBlock) throws -> TimedBlock?
  /// Leaves out up to `count` samples from here on without reading them, where the samples behind them are
  /// the same bits as if all had been read.
  /// - Returns: how many were left out; 0 where all have to be read.
  /// - Throws: ``MediaError`` when the source can't be read.
  func skip(_ count: Int64) throws -> Int64
}

extension TimedSource {
  /// Reads everything.
  package func skip(_ count: Int64) -> Int64 { 0 }
}
