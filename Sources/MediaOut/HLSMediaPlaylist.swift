import AudioCore

/// The media playlist of one rendition whose segments lie in a single fragmented MP4 file
/// (RFC 8216, 4.3, with byte ranges).
public struct HLSMediaPlaylist: Sendable {
  /// Name of the MP4 file, relative to the playlist.
  public var mediaName: String
  /// Ticks a second in which the fragments count.
  public var timescale: Int
  /// Bytes before the first fragment.
  public var initializationSize: Int64
  /// The segments: one fragment each.
  public var fragments: [FragmentRecord]
  /// Whether each segment can be decoded without any other.
  public var isIndependent: Bool

  /// A playlist of these values.
  public init(
    mediaName: String, timescale: Int, initializationSize: Int64, fragments: [FragmentRecord],
    isIndependent: Bool = true
  ) {
    self.mediaName = mediaName
    self.timescale = timescale
    self.initializationSize = initializationSize
    self.fragments = fragments
    self.isIndependent = isIndependent
  }

  /// The playlist. Its EXTINF values sum up to the end of the rendition, rounded once to a
  /// microsecond: a rendition that begins late counts from the presentation's beginning, because
  /// players place segments by these sums.
  public var text: String {
    let lengths = self.lengths
    let target = lengths.map { ($0 + 500_000) / 1_000_000 }.max() ?? 1
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, target))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD",
    ]
    if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    lines.append(
      "#EXT-X-MAP:URI=\"\(mediaName)\",BYTERANGE=\"\(initializationSize)@0\"")
    for (fragment, length) in zip(fragments, lengths) {
      lines.append("#EXTINF:\(HLSMediaPlaylist.seconds(length)),")
      lines.append("#EXT-X-BYTERANGE:\(fragment.size)@\(fragment.offset)")
      lines.append(mediaName)
    }
    return (lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n") + "\n"
  }

  /// Bit rate of the segment with the highest, in bit/s.
  public var peakBitRate: Double {
    zip(fragments, lengths).map { fragment, length in
      length > 0 ? Double(fragment.size) * 8e6 / Double(length) : 0
    }.max() ?? 0
  }

  /// Bit rate over all segments, in bit/s.
  public var averageBitRate: Double {
    let total = lengths.reduce(0, +)
    let bytes = fragments.reduce(0) { $0 + $1.size }
    return total > 0 ? Double(bytes) * 8e6 / Double(total) : 0
  }

  /// Length of the rendition in milliseconds, rounded up.
  public var milliseconds: Int64 { (lengths.reduce(0, +) + 999) / 1000 }

  /// Lengths of the segments in microseconds: differences of rounded times, so that rounding never
  /// adds up.
  private var lengths: [Int64] {
    func time(_ ticks: Int64) -> Int64 {
      MediaTime.rescale(ticks, by: 1_000_000, over: Int64(timescale))
    }
    var before: Int64 = 0
    return fragments.map { fragment in
      let end = time(fragment.start + fragment.duration)
      defer { before = end }
      return end - before
    }
  }

  private static func seconds(_ microseconds: Int64) -> String {
    let digits = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return "\(microseconds / 1_000_000).\(digits)"
  }
}
