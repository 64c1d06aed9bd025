import CKernels

/// The oversampling filter of ITU-R BS.1770-5, Annex 2: 48 taps in four phases.
///
/// Output `i` is made of inputs `i − 11 … i` and lies between inputs `i − 6` and `i − 5`, an
/// eighth, three eighths, five eighths and seven eighths of the way.
enum AnnexTwoInterpolator {
  /// Inputs before the current one that an output needs.
  static let history = Int(CK_ANNEX_TWO_HISTORY)
  /// Largest sum of tap magnitudes of a phase, rounded up: no output exceeds the largest input
  /// times this, rounding errors included.
  static let largestNorm = ck_annex_two_norm

  /// Writes to `output[i]`, for each `i < count`, the largest magnitude of the four phases.
  ///
  /// Works in groups of 16: `input` is read and `output` written up to the next multiple of 16 of
  /// `count`.
  static func quadruple(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    ck_interpolate(input, count, 4, output)
  }

  /// As ``quadruple(_:count:into:)`` with phases 0 and 2 only, which lie half a sample apart.
  static func double(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    ck_interpolate(input, count, 2, output)
  }
}
