/// What a block of a track was decoded from.
enum BlockOrigin: Equatable {
  /// The first frame of one intact packet.
  case packet
  /// What is damaged or lost: silence, or a frame that the decoder repaired.
  case loss
  /// Sound of another format, which was converted.
  case other
}
