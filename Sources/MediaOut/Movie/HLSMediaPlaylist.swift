import AudioCore

/// The media playlist of one rendition (RFC 8216, 4.3): its segments are byte ranges of a single
/// fragmented MP4 file, or a file each.
package struct HLSMediaPlaylist: Sendable {
  /// Where the media lie, as URIs relative to the playlist.
  package enum Place: Sendable, Equatable {
    /// In one MP4 file.
    case file(String)
    /// The initialisation section and each segment in files of their own.
    case segments(initialization: String, media: [String])
  }

  /// Where the media lie; of segments as many as there are fragments.
  package var place: Place
  /// Ticks a second in which the fragments count.
  package var timescale: Int
  /// Bytes before the first fragment.
  package var initializationSize: Int64
  /// The segments: one fragment each.
  package var fragments: [FragmentRecord]
  /// Whether each segment can be decoded without any other.
  package var isIndependent: Bool

  /// A playlist of these values.
  package init(
    place: Place, timescale: Int, initializationSize: Int64, fragments: [FragmentRecord],
    isIndependent: Bool = true
  ) {
    self.place = place
    self.timescale = timescale
    self.initializationSize = initializationSize
    self.fragments = fragments
    self.isIndependent = isIndependent
  }

  /// The playlist. Its EXTINF values sum up to the end of the rendition, rounded once to a
  /// microsecond: a rendition that begins late counts from the presentation's beginning, because
  /// players place segments by these sums.
  package var text: String {
    let lengths = self.lengths
    let target = lengths.map { ($0 + 500_000) / 1_000_000 }.max() ?? 1
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, target))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD",
    ]
    if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    lines.append(map)
    for (index, length) in lengths.enumerated() {
      lines.append("#EXTINF:\(HLSMediaPlaylist.seconds(length)),")
      lines += segment(index)
    }
    return (lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n") + "\n"
  }

  private var map: String {
    switch place {
    case .file(let name):
      return "#EXT-X-MAP:URI=\"\(name)\",BYTERANGE=\"\(initializationSize)@0\""
    case .segments(let name, _): return "#EXT-X-MAP:URI=\"\(name)\""
    }
  }

  private func segment(_ index: Int) -> [String] {
    switch place {
    case .file(let name):
      return ["#EXT-X-BYTERANGE:\(fragments[index].size)@\(fragments[index].offset)", name]
    case .segments(_, let names): return [names[index]]
    }
  }

  /// Bit rate of the segment with the highest, in bit/s.
  package var peakBitRate: Double {
    zip(fragments, lengths).map { fragment, length in
      length > 0 ? Double(fragment.size) * 8e6 / Double(length) : 0
    }.max() ?? 0
  }

  /// Bit rate over all segments, in bit/s.
  package var averageBitRate: Double {
    let total = lengths.reduce(0, +)
    let bytes = fragments.reduce(0) { $0 + $1.size }
    return total > 0 ? Double(bytes) * 8e6 / Double(total) : 0
  }

  /// Length of the rendition in milliseconds, rounded up.
  package var milliseconds: Int64 { (lengths.reduce(0, +) + 999) / 1000 }

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
