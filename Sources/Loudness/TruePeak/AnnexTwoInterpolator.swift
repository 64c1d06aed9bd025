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
}
