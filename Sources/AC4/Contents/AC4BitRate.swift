/// The bit rate that `dac4` states (`ac4_bitrate_dsi`, TS 103 190-2, E.7).
package struct AC4BitRate: Sendable, Equatable {
  /// `bit_rate_mode`: 0 unknown, 1 constant, 2 average, 3 variable.
  package var mode: Int
  /// `bit_rate` in bits per second; 0 when unknown.
  package var bitsPerSecond: Int
  /// `bit_rate_precision`: the largest deviation in bits per second; 2³² − 1 when unknown.
  package var precision: Int

  /// An unknown rate of a known mode.
  package init(mode: Int) {
    self.mode = mode
    bitsPerSecond = 0
    precision = Int(UInt32.max)
  }

  init(_ bits: inout BitReader) throws(AC4Error) {
    mode = try bits.read(2)
    bitsPerSecond = try bits.read(32)
    precision = try bits.read(32)
  }

  func write(to bits: inout BitWriter) {
    bits.write(mode, 2)
    bits.write(bitsPerSecond, 32)
    bits.write(precision, 32)
  }
}
