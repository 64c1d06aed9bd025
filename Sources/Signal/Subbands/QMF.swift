/// Constants of the 64-band complex filter bank (TS 103 190-1, 5.7.3 and 5.7.4).
package enum QMF {
  /// Subbands, and samples per slot.
  package static let bands = 64
  /// Samples by which analysis and synthesis together delay a signal.
  package static let delay = 577

  /// The prototype filter, 640 taps (TS 103 190-1, Annex D.3).
  package static var prototype: [Double] { QMFWindow.prototype }
}
