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

  /// Whether the samples come back as they went in.
  public var isLossless: Bool { self == .flac || self == .alac }

  /// Name of libavcodec's encoder.
  var encoderName: String { self == .opus ? "libopus" : rawValue }
}
