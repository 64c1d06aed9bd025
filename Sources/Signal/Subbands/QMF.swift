/// Constants of the 64-band complex filter bank (TS 103 190-1, 5.7.3 and 5.7.4).
enum QMF {
  /// Amplitude of full scale in spectra, subbands and the samples between them: the dequantisation formula
  /// gives 16-bit levels (TS 103 190-1, 5.1.3).
  static let fullScale: Float = 32768
  /// Subbands, and samples per slot.
  static let bands = 64
  /// Samples by which analysis and synthesis together delay a signal.
  static let delay = 577
}
