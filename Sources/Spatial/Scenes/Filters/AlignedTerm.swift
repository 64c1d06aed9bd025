import LibAV

/// The layout of what `cc_mix_aligned` mixes: an aligned half spectrum of each ear as 48 floats for each 16
/// bins: their real parts, their imaginary parts (that of bin 0 is 0) and the logarithms to base 2 of their
/// magnitudes. The right ear's spectrum lies 3 × stride floats after the left one's.
enum AlignedTerm {
  /// Floats from a bin's real part to its imaginary part.
  static let im = 16
  /// Floats from a bin's real part to its level.
  static let level = 32

  /// Room for both ears.
  static func make(stride: Int) -> AlignedFloats { AlignedFloats(count: 6 * stride) }

  /// Where the real part of a bin lies.
  static func place(of bin: Int) -> Int { 48 * (bin / 16) + bin % 16 }
}
