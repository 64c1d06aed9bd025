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
