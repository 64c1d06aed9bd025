/// An encoder of libavcodec that Pinna uses, and what it takes.
public enum AudioEncoding: String, Sendable, CaseIterable {
  /// AAC-LC, libavcodec's own.
  case aac
  /// FLAC, 16 or 24 bits.
  case flac
  /// Apple Lossless, 16 or 24 bits.
  case alac
  /// Opus, by libopus; 48 kHz only.
  case opus
  /// PCM, 16 or 24 bits, little-endian.
  case pcm

  /// Whether the samples come back as they went in.
  public var isLossless: Bool { self == .flac || self == .alac || self == .pcm }

  /// Name of libavcodec's encoder.
  func encoderName(bits: Int) -> String {
    switch self {
    case .opus: return "libopus"
    case .pcm: return bits == 16 ? "pcm_s16le" : "pcm_s24le"
    default: return rawValue
    }
  }
}
