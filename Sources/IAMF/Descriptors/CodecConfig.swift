// SPDX-License-Identifier: Apache-2.0

/// How the frames of an element's substreams are coded (`Codec Config OBU`).
package struct CodecConfig: Equatable, Sendable {
  /// The settings that a decoder needs, by codec.
  package enum Decoder: Equatable, Sendable {
    case opus(OpusConfig)
    /// AAC-LC.
    case aac(AACConfig)
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

extension CodecConfig {
  /// Writes the configuration (`Codec Config OBU`).
  func write(to bits: inout BitWriter) {
    bits.leb128(id)
    bits.write(codecID.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    bits.leb128(samplesPerFrame)
    bits.write(rollDistance & 0xFFFF, 16)
    bits.write(decoderBytes)
  }
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
