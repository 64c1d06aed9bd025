/// A fragment as read: `moof` and the `mdat` after it (ISO/IEC 14496-12, 8.8).
package struct MovieFragment: Sendable, Equatable {
  /// Number (`mfhd`).
  package let sequenceNumber: Int
  /// The `moof` box.
  package let box: BoxHeader
  /// Offset of the `moof` box's first byte.
  package let offset: Int64
  /// The next `mdat` box before another `moof`; `nil` when there is none.
  package let data: BoxHeader?
  /// The tracks' samples in file order.
  package let tracks: [TrackFragment]
  /// Paths of boxes inside that are too short for their stated content, e.g. `moof/traf/trun`.
  package let malformed: [String]
}
