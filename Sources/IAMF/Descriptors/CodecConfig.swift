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
