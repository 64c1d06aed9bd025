// SPDX-License-Identifier: Apache-2.0

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

extension OpusConfig {
  /// Writes the settings.
  func write(to bits: inout BitWriter) {
    bits.write(version, 8)
    bits.write(channels, 8)
    bits.write(preSkip, 16)
    bits.write(inputRate, 32)
    bits.write(outputGain & 0xFFFF, 16)
    bits.write(mappingFamily, 8)
  }
}

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

/// Settings of FLAC: its metadata blocks, STREAMINFO first (RFC 9639, 8.2).
package struct FLACConfig: Equatable, Sendable {
  static let streamInfoBytes = 34

  /// STREAMINFO without its block header.
  package var streamInfo: [UInt8]
  /// Fewest samples of a block.
  package var shortestBlock: Int
  /// Most samples of a block.
  package var longestBlock: Int
  /// Samples per second.
  package var sampleRate: Int
  /// Always 2, and says nothing: each substream has its own number of channels.
  package var channels: Int
  /// Bits of a sample.
  package var bitDepth: Int
  /// Samples in all; 0 where the encoder didn't know.
  package var totalSamples: Int
}

extension FLACConfig {
  init(_ bits: inout BitReader) throws(IAMFError) {
    let header = try bits.read(8)
    guard header & 0x7F == 0, try bits.read(24) >= FLACConfig.streamInfoBytes else {
      throw .malformed("FLAC without STREAMINFO")
    }
    var info = bits
    streamInfo = try bits.bytes(FLACConfig.streamInfoBytes)
    shortestBlock = try info.read(16)
    longestBlock = try info.read(16)
    try info.skip(48)
    sampleRate = try info.read(20)
    channels = try info.read(3) + 1
    bitDepth = try info.read(5) + 1
    totalSamples = try info.read(4) << 32
    totalSamples += try info.read(32)
    guard sampleRate > 0 else { throw .malformed("a sample rate of 0") }
  }

  /// The STREAMINFO that a decoder of a substream of one or two channels takes.
  package func streamInfo(channels: Int) -> [UInt8] {
    FLACConfig.streamInfo(streamInfo, channels: channels)
  }

  /// The 34 bytes `streamInfo` with another number of channels, 1 to 8.
  static func streamInfo(_ streamInfo: [UInt8], channels: Int) -> [UInt8] {
    var bytes = streamInfo
    // Bits 100…102 hold the channels less one.
    bytes[12] = bytes[12] & 0xF1 | UInt8(channels - 1) << 1
    return bytes
  }
}

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

  package var sampleBytes: Int { bitDepth / 8 }

  /// Whether the standard names the rate.
  package var hasNamedRate: Bool { LPCMConfig.namedRates.contains(sampleRate) }
}

extension LPCMConfig {
  /// Writes the settings.
  func write(to bits: inout BitWriter) {
    bits.write(formatFlags, 8)
    bits.write(bitDepth, 8)
    bits.write(sampleRate, 32)
  }
}
