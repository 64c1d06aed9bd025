/// Settings of samples that aren't coded: signed integers, left before right.
package struct LPCMConfig: Equatable, Sendable {
  /// Sample rates that are accepted, in Hz; the standard names five of them.
  private static let rates = 8_000...192_000
  /// Rates in Hz that the standard names.
  private static let namedRates = [16_000, 32_000, 44_100, 48_000, 96_000]

  /// `sample_format_flags`.
  package var formatFlags: Int
  /// Bits of a sample: 16, 24 or 32.
  package var bitDepth: Int
  /// Samples per second.
  package var sampleRate: Int
}

extension LPCMConfig {
  init(_ bits: inout BitReader) throws(IAMFError) {
    formatFlags = try bits.read(8)
    bitDepth = try bits.read(8)
    sampleRate = try bits.read(32)
    guard [16, 24, 32].contains(bitDepth) else {
      throw .unsupported("LPCM of \(bitDepth) bits")
    }
    guard LPCMConfig.rates.contains(sampleRate) else {
      throw .unsupported("LPCM at \(sampleRate) Hz")
    }
  }

  /// Whether the least significant byte comes first.
  package var isLittleEndian: Bool { formatFlags & 1 == 1 }

  /// Bytes of a sample.
  package var sampleBytes: Int { bitDepth / 8 }

  /// Whether the standard names the rate.
  package var hasNamedRate: Bool { LPCMConfig.namedRates.contains(sampleRate) }
}
