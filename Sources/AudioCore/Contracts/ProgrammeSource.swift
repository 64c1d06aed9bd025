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
}
