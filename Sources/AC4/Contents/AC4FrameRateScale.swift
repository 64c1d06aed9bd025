/// How the codec frames of a presentation relate to the stream's transport frames
/// (`frame_rate_multiply_info` and `frame_rate_fractions_info`, TS 103 190-2, 6.2.1.3 and E.10).
package struct AC4FrameRateScale: Sendable, Equatable {
  /// Codec frames in a transport frame: 1, 2 or 4.
  package internal(set) var factor = 1
  /// Transport frames that one codec frame is spread over: 1, 2 or 4.
  package internal(set) var fraction = 1

  init() {}

  /// Reads both as `dac4` codes them: 0, 1, 2 for 1, 2, 4.
  init(_ bits: inout BitReader) throws(AC4Error) {
    factor = 1 << (try bits.read(2))
    fraction = 1 << (try bits.read(2))
  }

  /// Writes both as `dac4` codes them.
  func write(to bits: inout BitWriter) {
    bits.write(factor.trailingZeroBitCount, 2)
    bits.write(fraction.trailingZeroBitCount, 2)
  }
}
