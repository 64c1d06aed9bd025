/// A fragment as read: `moof` and the `mdat` behind it (ISO/IEC 14496-12, 8.8).
public struct MovieFragment: Sendable, Equatable {
  /// Number (`mfhd`).
  public let sequenceNumber: Int
  /// The `moof` box.
  public let box: BoxHeader
  /// Offset of the `moof` box's first byte.
  public let offset: Int64
  /// The next `mdat` box in front of another `moof`; `nil` when there is none.
  public let data: BoxHeader?
  /// The tracks' samples in file order.
  public let tracks: [TrackFragment]
  /// Paths of boxes inside that are too short for what they say, e.g. `moof/traf/trun`.
  public let malformed: [String]
}
