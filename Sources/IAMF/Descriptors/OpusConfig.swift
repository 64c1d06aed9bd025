/// Settings of Opus: the identification header (RFC 7845, 5.1) without its magic, big-endian.
package struct OpusConfig: Equatable, Sendable {
  /// Samples per second, always.
  package static let sampleRate = 48_000

  /// Version of the header.
  package var version: Int
  /// Always 2, and says nothing: each substream has its own number of channels.
  package var channels: Int
  /// Samples that the encoder put in front; the trimming of the frames decides.
  package var preSkip: Int
  /// Rate of the encoder's input in Hz.
  package var inputRate: Int
  /// Gain in 1/256 dB, always 0.
  package var outputGain: Int
  /// Always 0.
  package var mappingFamily: Int
}

extension OpusConfig {
  init(_ bits: inout BitReader) throws(IAMFError) {
    version = try bits.read(8)
    channels = try bits.read(8)
    preSkip = try bits.read(16)
    inputRate = try bits.read(32)
    outputGain = try bits.signed16()
    mappingFamily = try bits.read(8)
  }

  /// The identification header that a decoder of one substream takes. Its pre-skip is 0, because only the
  /// frames' trimming may remove samples.
  package func identificationHeader(channels: Int) -> [UInt8] {
    let rate = UInt32(OpusConfig.sampleRate)
    return Array("OpusHead".utf8) + [1, UInt8(channels), 0, 0]
      + (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) } + [0, 0, 0]
  }
}
