/// Something that delivers a programme in order, once.
package protocol ProgrammeSource: AnyObject {
  /// What every block holds.
  var programme: Programme { get }
  /// Appends the next samples with their object updates to `block`; answers `false` when nothing is
  /// left.
  ///
  /// The caller passes the same block every time and may drop samples in between. A source adds an
  /// update only where an object's state changes; through silence an object keeps its last state.
  /// - Throws: ``MediaError`` when the source is damaged or can't be read.
  func read(into block: ProgrammeBlock) throws -> Bool
  /// Leaves out up to `count` of its first samples without reading them, where the samples behind them are
  /// the same bits as if all had been read; asked before the first read only.
  /// - Returns: how many were left out; 0 where all have to be read.
  /// - Throws: ``MediaError`` when the source can't be read.
  func skip(_ count: Int64) throws -> Int64
}

extension ProgrammeSource {
  /// Reads everything.
  package func skip(_ count: Int64) -> Int64 { 0 }
}
