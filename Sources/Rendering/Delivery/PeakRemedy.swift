/// What lowers peaks that a lossy encoding lifts above their ceiling.
enum PeakRemedy {
  /// The whole sound is limited further and encoded again.
  case gain
  /// The delivery replaces single packets when it writes again.
  case packets
  /// Nothing that the delivery can do.
  case none
}
