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

  /// Bit rates that a lossy encoding may be asked for, bit/s.
  package static let bitRates = 8_000...2_000_000

  /// Whether decoding gives back the encoded samples bit by bit.
  public var isLossless: Bool { self == .flac || self == .alac || self == .pcm }

  /// The layout that an encoded programme of `layout` has. AAC, ALAC and Opus name a programme's only
  /// surround pair, which ITU-R BS.775 puts at ±110°, back left and right; other layouts stay as they are.
  public func layout(for layout: ChannelLayout) -> ChannelLayout {
    guard [.aac, .alac, .opus].contains(self), layout.speakers.contains(.sideLeft),
      !layout.speakers.contains(where: { [.backLeft, .backRight, .backCenter].contains($0) })
    else { return layout }
    return ChannelLayout(
      layout.speakers.map { $0 == .sideLeft ? .backLeft : $0 == .sideRight ? .backRight : $0 })
  }
}
