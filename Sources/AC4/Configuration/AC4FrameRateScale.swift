/// How a presentation's frames relate to the stream's frame rate, as `dac4` codes it
/// (TS 103 190-2, E.10).
package struct AC4FrameRateScale: Sendable, Equatable {
  /// `dsi_frame_rate_multiply_info`: 0, 1, 2 for a factor of 1, 2, 4.
  package var multiply = 0
  /// `dsi_frame_rate_fraction_info`: 0, 1, 2 for a fraction of 1, 2, 4.
  package var fraction = 0

  init() {}

  /// The codes of a factor and a fraction of 1, 2 or 4 each.
  init(factor: Int, fraction: Int) {
    multiply = factor / 2
    self.fraction = fraction / 2
  }

  init(_ bits: inout BitReader) throws(AC4Error) {
    multiply = try bits.read(2)
    fraction = try bits.read(2)
  }

  func write(to bits: inout BitWriter) {
    bits.write(multiply, 2)
    bits.write(fraction, 2)
  }
}
