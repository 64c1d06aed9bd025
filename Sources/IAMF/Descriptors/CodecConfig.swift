/// How the frames of an element's substreams are coded (`Codec Config OBU`).
package struct CodecConfig: Equatable, Sendable {
  /// What a decoder needs, by codec.
  package enum Decoder: Equatable, Sendable {
    /// Opus.
    case opus(OpusConfig)
    /// AAC-LC.
    case aac(AACConfig)
    /// FLAC.
    case flac(FLACConfig)
    /// Samples as they are.
    case lpcm(LPCMConfig)
    /// A codec that isn't known; what uses it can't be played.
    case unknown
  }

  /// Most samples of a coded frame.
  private static let mostCodedSamples = 1 << 16
  /// Most samples of a frame of LPCM.
  private static let mostPlainSamples = 1 << 19

  /// Its number, `codec_config_id`.
  package var id: Int
  /// Four characters, `codec_id`.
  package var codecID: String
  /// Samples of each frame, `num_samples_per_frame`. 0, of LPCM only: as many as its bytes hold.
  package var samplesPerFrame: Int
  /// Frames that a decoder needs before it is right, as a number ≤ 0.
  package var rollDistance: Int
  /// The decoder's settings as they stand in the file.
  package var decoderBytes: [UInt8]
  /// The decoder's settings.
  package var decoder: Decoder
}

extension CodecConfig {
  /// A configuration from its payload.
  /// - Throws: ``IAMFError`` where it ends early or has values that no decoder could use.
  init(_ bits: inout BitReader) throws(IAMFError) {
    id = try bits.leb128()
    codecID = try bits.bytes(4).reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
    samplesPerFrame = try bits.leb128()
    rollDistance = try bits.signed16()
    let settings = bits
    decoderBytes = try bits.rest()
    decoder = try CodecConfig.decoder(codecID, settings)
    let isPlain = codecID == "ipcm"
    let range = isPlain ? 0...CodecConfig.mostPlainSamples : 1...CodecConfig.mostCodedSamples
    guard decoder == .unknown || range.contains(samplesPerFrame) else {
      throw .malformed("\(samplesPerFrame) samples per frame of \(codecID)")
    }
  }

  private static func decoder(_ codec: String, _ bits: BitReader) throws(IAMFError) -> Decoder {
    var bits = bits
    switch codec {
    case "Opus": return .opus(try OpusConfig(&bits))
    case "mp4a": return .aac(try AACConfig(&bits))
    case "fLaC": return .flac(try FLACConfig(&bits))
    case "ipcm": return .lpcm(try LPCMConfig(&bits))
    default: return .unknown
    }
  }

  /// Samples per second; `nil` of an unknown codec.
  package var sampleRate: Int? {
    switch decoder {
    case .opus: return OpusConfig.sampleRate
    case .aac(let config): return config.sampleRate
    case .flac(let config): return config.sampleRate
    case .lpcm(let config): return config.sampleRate
    case .unknown: return nil
    }
  }

  /// Whether ``rollDistance`` is the one that the standard demands. Only seeking needs it.
  package var hasStandardRollDistance: Bool {
    standardRollDistance.map { $0 == rollDistance } ?? true
  }

  /// The ``rollDistance`` that the standard demands; `nil` of an unknown codec.
  var standardRollDistance: Int? {
    switch decoder {
    // 80 ms, rounded up to whole frames.
    case .opus: return -((3840 + samplesPerFrame - 1) / samplesPerFrame)
    case .aac: return -1
    case .flac, .lpcm: return 0
    case .unknown: return nil
    }
  }
}

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
  /// Bytes of STREAMINFO.
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

  /// Bytes of a sample.
  package var sampleBytes: Int { bitDepth / 8 }

  /// Whether the standard names the rate.
  package var hasNamedRate: Bool { LPCMConfig.namedRates.contains(sampleRate) }
}

extension CodecConfig {
  /// Opus, whose encoder puts `opusPreSkip` samples in front.
  /// - Parameter samplesPerFrame: 120, 240, 480, 960, 1920 or 2880 at 48 kHz.
  /// - Throws: ``IAMFError`` for values that don't fit.
  package init(opusPreSkip: Int, samplesPerFrame: Int) throws(IAMFError) {
    guard (0...0xFFFF).contains(opusPreSkip) else {
      throw .malformed("a pre-skip of \(opusPreSkip) samples")
    }
    let config = OpusConfig(
      version: 1, channels: 2, preSkip: opusPreSkip, inputRate: OpusConfig.sampleRate,
      outputGain: 0, mappingFamily: 0)
    let settings = [UInt8].written { config.write(to: &$0) }
    try self.init("Opus", samplesPerFrame, settings)
  }

  /// FLAC, whose encoder gave the 34 bytes of STREAMINFO.
  ///
  /// The block sizes become `samplesPerFrame`, the frame sizes and the MD5 sum, which each substream has of its
  /// own, 0, and the channels 2, as the standard demands.
  /// - Throws: ``IAMFError`` for values that don't fit.
  package init(flacStreamInfo: [UInt8], samplesPerFrame: Int) throws(IAMFError) {
    guard flacStreamInfo.count == FLACConfig.streamInfoBytes, samplesPerFrame <= 0xFFFF else {
      throw .malformed("a STREAMINFO of \(flacStreamInfo.count) bytes")
    }
    var info = flacStreamInfo
    info.replaceSubrange(
      0..<10,
      with: [UInt8].written { bits in
        bits.write(samplesPerFrame, 16)
        bits.write(samplesPerFrame, 16)
        bits.write(0, 24)
        bits.write(0, 24)
      })
    info.replaceSubrange(18..<34, with: repeatElement(0, count: 16))
    let front = [UInt8].written { bits in
      // The last metadata block, which is STREAMINFO.
      bits.write(0x80, 8)
      bits.write(info.count, 24)
    }
    try self.init("fLaC", samplesPerFrame, front + FLACConfig.streamInfo(info, channels: 2))
  }

  /// Samples of `lpcmBits` bits, 16, 24 or 32, as they are; least significant byte first.
  /// - Throws: ``IAMFError`` for values that don't fit, and for rates that the standard doesn't name.
  package init(lpcmBits: Int, sampleRate: Int, samplesPerFrame: Int) throws(IAMFError) {
    let config = LPCMConfig(formatFlags: 1, bitDepth: lpcmBits, sampleRate: sampleRate)
    guard config.hasNamedRate else {
      throw .unsupported("LPCM at \(sampleRate) Hz, which isn't 16, 32, 44.1, 48 or 96 kHz")
    }
    guard samplesPerFrame > 0 else { throw .malformed("no samples per frame") }
    let settings = [UInt8].written { config.write(to: &$0) }
    try self.init("ipcm", samplesPerFrame, settings)
  }

  /// A configuration with the number 0 and the roll distance that the standard demands.
  private init(_ codec: String, _ samples: Int, _ settings: [UInt8]) throws(IAMFError) {
    guard samples > 0 else { throw .malformed("no samples per frame") }
    var config = CodecConfig(
      id: 0, codecID: codec, samplesPerFrame: samples, rollDistance: 0, decoderBytes: settings,
      decoder: .unknown)
    // The reader's checks hold for what is written, too.
    let bytes = [UInt8].written { config.write(to: &$0) }
    config = try bytes.reading { bits throws(IAMFError) in try CodecConfig(&bits) }
    config.rollDistance = config.standardRollDistance ?? 0
    self = config
  }

  /// Whether decoding changes samples, so that the levels of demixed channels need a repair.
  var isLossy: Bool {
    switch decoder {
    case .opus, .aac: return true
    case .flac, .lpcm, .unknown: return false
    }
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

extension LPCMConfig {
  /// Writes the settings.
  func write(to bits: inout BitWriter) {
    bits.write(formatFlags, 8)
    bits.write(bitDepth, 8)
    bits.write(sampleRate, 32)
  }
}
