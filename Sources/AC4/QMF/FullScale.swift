import Signal

extension QMF {
  /// Amplitude of full scale in spectra, subbands and the samples between them: the dequantisation formula
  /// gives 16-bit levels (TS 103 190-1, 5.1.3).
  static let fullScale: Float = 32768
}
