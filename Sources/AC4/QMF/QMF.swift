/// Constants of the 64-band complex filter bank (TS 103 190-1, 5.7.3 and 5.7.4).
enum QMF {
  /// Subbands, and samples per slot.
  static let bands = 64
  /// Samples by which analysis and synthesis together delay a signal.
  static let delay = 577
}
