import AudioCore

/// The playlists of one rendition whose segments lie in a single fragmented MP4 file (RFC 8216,
/// 4.3, with byte ranges).
public struct HLSPlaylist: Sendable {
  /// Name of the MP4 file, relative to the playlists.
  public var mediaName: String
  /// Name of the media playlist, relative to the multivariant one.
  public var playlistName: String
  /// The codec for CODECS (RFC 6381).
  public var codec: String
  /// Channels of the audio.
  public var channels: Int
  /// Samples a second, which is what fragments count in.
  public var sampleRate: Int
  /// Bytes before the first fragment.
  public var initializationSize: Int64
  /// The segments: one fragment each.
  public var fragments: [FragmentRecord]

  /// Playlists of these values.
  public init(
    mediaName: String, playlistName: String, codec: String, channels: Int, sampleRate: Int,
    initializationSize: Int64, fragments: [FragmentRecord]
  ) {
    self.mediaName = mediaName
    self.playlistName = playlistName
    self.codec = codec
    self.channels = channels
    self.sampleRate = sampleRate
    self.initializationSize = initializationSize
    self.fragments = fragments
  }

  /// The media playlist. Its EXTINF values sum up to the programme's length, rounded once to a
  /// microsecond.
  public var media: String {
    let lengths = self.lengths
    let target = lengths.map { ($0 + 500_000) / 1_000_000 }.max() ?? 1
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, target))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-INDEPENDENT-SEGMENTS",
      "#EXT-X-MAP:URI=\"\(mediaName)\",BYTERANGE=\"\(initializationSize)@0\"",
    ]
    for (fragment, length) in zip(fragments, lengths) {
      lines.append("#EXTINF:\(HLSPlaylist.seconds(length)),")
      lines.append("#EXT-X-BYTERANGE:\(fragment.size)@\(fragment.offset)")
      lines.append(mediaName)
    }
    return (lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n") + "\n"
  }

  /// The multivariant playlist with its one rendition.
  public var multivariant: String {
    let rates = zip(fragments, lengths).map { fragment, length in
      length > 0 ? Double(fragment.size) * 8e6 / Double(length) : 0
    }
    let bytes = fragments.reduce(0) { $0 + $1.size }
    let total = lengths.reduce(0, +)
    let average = total > 0 ? Double(bytes) * 8e6 / Double(total) : 0
    return [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"audio\",DEFAULT=YES,AUTOSELECT=YES,"
        + "CHANNELS=\"\(channels)\",URI=\"\(playlistName)\"",
      "#EXT-X-STREAM-INF:BANDWIDTH=\(Int(max(1, (rates.max() ?? 0).rounded(.up)))),"
        + "AVERAGE-BANDWIDTH=\(Int(max(1, average.rounded(.up)))),CODECS=\"\(codec)\","
        + "AUDIO=\"audio\"",
      playlistName,
    ].joined(separator: "\n") + "\n"
  }

  /// Lengths of the segments in microseconds: differences of rounded times, so that rounding never
  /// adds up.
  private var lengths: [Int64] {
    let first = fragments.first?.start ?? 0
    func time(_ ticks: Int64) -> Int64 {
      MediaTime.rescale(ticks - first, by: 1_000_000, over: Int64(sampleRate))
    }
    var position = first
    return fragments.map { fragment in
      defer { position += fragment.duration }
      return time(position + fragment.duration) - time(position)
    }
  }

  private static func seconds(_ microseconds: Int64) -> String {
    let digits = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return "\(microseconds / 1_000_000).\(digits)"
  }
}
