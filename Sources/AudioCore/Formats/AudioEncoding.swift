/// A coding that Pinna writes, and what it holds.
public enum AudioEncoding: String, Sendable, Codable, CaseIterable {
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

  /// The layout as the encoding has it: of AAC, ALAC and Opus the only surround pair is the one that
  /// ITU-R BS.775 puts at ±110°, whether it is called side or back.
  public func layout(for layout: ChannelLayout) -> ChannelLayout {
    guard [.aac, .alac, .opus].contains(self), layout.speakers.contains(.sideLeft),
      !layout.speakers.contains(where: { [.backLeft, .backRight, .backCenter].contains($0) })
    else { return layout }
    return ChannelLayout(
      layout.speakers.map { $0 == .sideLeft ? .backLeft : $0 == .sideRight ? .backRight : $0 })
  }
}
