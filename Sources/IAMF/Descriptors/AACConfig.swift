/// Settings of AAC-LC: an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) in a DecoderConfigDescriptor
/// (ISO/IEC 14496-1, 7.2.6.6).
package struct AACConfig: Equatable, Sendable {
  /// Rates in Hz by frequency index.
  private static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]
  /// The index behind which the rate itself stands.
  private static let explicitRate = 15

  /// The AudioSpecificConfig.
  package var specificConfig: [UInt8]
  /// Audio object type, 2 for AAC-LC.
  package var objectType: Int
  /// `samplingFrequencyIndex`.
  package var frequencyIndex: Int
  /// Samples per second.
  package var sampleRate: Int
  /// `channelConfiguration`, which says nothing: each substream has its own number of channels.
  package var channelConfiguration: Int

  init(_ bits: inout BitReader) throws(IAMFError) {
    guard try bits.read(8) == 4 else { throw .malformed("no DecoderConfigDescriptor") }
    _ = try AACConfig.expandableSize(&bits)
    guard try bits.read(8) == 0x40 else { throw .unsupported("another codec than AAC in mp4a") }
    // Stream type, buffer size and bit rates.
    try bits.skip(96)
    guard try bits.read(8) == 5 else { throw .malformed("no DecoderSpecificInfo") }
    let size = try AACConfig.expandableSize(&bits)
    guard size <= bits.bytesLeft else { throw .malformed("DecoderSpecificInfo of \(size) bytes") }
    try bits.limit(to: bits.position + 8 * size)
    var config = bits
    specificConfig = try bits.rest()
    objectType = try config.read(5)
    frequencyIndex = try config.read(4)
    if frequencyIndex == AACConfig.explicitRate {
      sampleRate = try config.read(24)
    } else {
      guard frequencyIndex < AACConfig.rates.count else {
        throw .malformed("samplingFrequencyIndex \(frequencyIndex)")
      }
      sampleRate = AACConfig.rates[frequencyIndex]
    }
    guard sampleRate > 0 else { throw .malformed("a sample rate of 0") }
    channelConfiguration = try config.read(4)
    guard objectType == 2 else { throw .unsupported("AAC of object type \(objectType)") }
  }

  /// A size in big-endian base 128, up to four bytes.
  private static func expandableSize(_ bits: inout BitReader) throws(IAMFError) -> Int {
    var size = 0
    for _ in 0..<4 {
      let byte = try bits.read(8)
      size = size << 7 | byte & 0x7F
      if byte & 0x80 == 0 { return size }
    }
    throw .malformed("a descriptor's size of more than four bytes")
  }

  /// The AudioSpecificConfig that a decoder of a substream of one or two channels takes.
  package func specificConfig(channels: Int) -> [UInt8] {
    var bytes = specificConfig
    let first = frequencyIndex == AACConfig.explicitRate ? 33 : 9
    for bit in 0..<4 {
      let (place, mask) = ((first + bit) / 8, UInt8(0x80) >> UInt8((first + bit) % 8))
      if channels >> (3 - bit) & 1 == 1 { bytes[place] |= mask } else { bytes[place] &= ~mask }
    }
    return bytes
  }
}
