// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The multivariant playlist of one presentation (RFC 8216, 4.3.4): sound, and pictures and
/// subtitles where there are any.
package struct HLSMultivariantPlaylist: Sendable {
  /// A rendition of sound or subtitles.
  package struct Rendition: Sendable {
    /// Name of its media playlist, relative to this one.
    package var playlistName: String
    /// The name that users see; a number is added where another rendition of its group has the same name.
    package var name: String
    /// Language as a tag of BCP 47; empty when unknown.
    package var language = ""
    /// Whether it plays unless the user chooses otherwise.
    package var isDefault = true
    /// Whether players may choose it by language, though the user hasn't. At most one of a language can be it (RFC 8216, 4.3.4.1.1).
    package var isAutomatic = true
    /// Whether subtitles are only for foreign dialogue.
    package var isForced = false
    /// Values of CHARACTERISTICS (RFC 8216, 4.3.4.1).
    package var characteristics: [String] = []
    /// Value of CHANNELS for sound: the number of channels, and `/JOC` for joint object coding.
    package var channels: String?

    /// A rendition in `playlistName`.
    package init(playlistName: String, name: String) {
      self.playlistName = playlistName
      self.name = name
    }
  }

  /// Pictures.
  package struct Video: Sendable {
    /// Name of the media playlist, relative to this one.
    package var playlistName: String
    /// Its codec (RFC 6381).
    package var codec: String
    /// Dolby Vision on a compatible base layer, as SUPPLEMENTAL-CODECS names it.
    package var supplementalCodec: String?
    /// Width in pixels.
    package var width: Int
    /// Height in pixels.
    package var height: Int
    /// Frames a second, when known.
    package var frameRate: Double?
    /// `SDR`, `PQ` or `HLG`.
    package var range: String
    /// Highest and average bit rate in bit/s.
    package var bitRate: (peak: Double, average: Double)

    /// Pictures of these facts.
    package init(
      playlistName: String, codec: String, supplementalCodec: String? = nil, width: Int,
      height: Int, frameRate: Double?, range: String, bitRate: (peak: Double, average: Double)
    ) {
      self.playlistName = playlistName
      self.codec = codec
      self.supplementalCodec = supplementalCodec
      self.width = width
      self.height = height
      self.frameRate = frameRate
      self.range = range
      self.bitRate = bitRate
    }
  }

  /// One encoding of all tracks of sound, of which one plays at a time.
  package struct SoundGroup: Sendable {
    /// The tracks. Those of all groups are the same ones in the same order and differ in playlist and channels only (RFC 8216,
    /// 4.3.4.1.1).
    package var sounds: [Rendition]
    /// Their codecs (RFC 6381), each once.
    package var codecs: [String]
    /// Highest and average bit rate in bit/s of the track with the highest ones.
    package var bitRate: (peak: Double, average: Double)

    /// A group of these tracks.
    package init(
      sounds: [Rendition], codecs: [String], bitRate: (peak: Double, average: Double)
    ) {
      self.sounds = sounds
      self.codecs = codecs.enumerated().filter { !codecs[..<$0.offset].contains($0.element) }
        .map(\.element)
      self.bitRate = bitRate
    }
  }

  /// The groups of sound, each of which is a variant; players begin with the first one that they can play.
  package var groups: [SoundGroup]
  /// The pictures.
  package var video: Video?
  package var subtitles: [Rendition] = []
  /// Name of the JSON file with the chapters, relative to this one; `nil` for none.
  package var chapterName: String?
  /// Whether segments of all renditions can be decoded without any other.
  package var isIndependent = true

  /// A playlist of sound alone.
  package init(_ groups: [SoundGroup]) { self.groups = groups }

  /// The playlist.
  package var text: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:7"]
    if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    if let chapterName {
      lines.append(
        "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",URI=\"\(chapterName)\"")
    }
    for (number, group) in groups.enumerated() {
      for rendition in HLSMultivariantPlaylist.distinct(group.sounds) {
        let channels = rendition.channels.map { ",CHANNELS=\"\($0)\"" } ?? ""
        lines.append(media("AUDIO", groupID(number), rendition, extra: channels))
      }
    }
    for rendition in HLSMultivariantPlaylist.distinct(subtitles) {
      let forced = rendition.isForced ? ",FORCED=YES" : ""
      lines.append(media("SUBTITLES", "subs", rendition, extra: forced))
    }
    for (number, group) in groups.enumerated() {
      lines.append("#EXT-X-STREAM-INF:" + variant(group, number).joined(separator: ","))
      lines += [video?.playlistName ?? group.sounds.first?.playlistName].compactMap(\.self)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Name of the group at place `number`.
  private func groupID(_ number: Int) -> String { number == 0 ? "audio" : "audio-\(number + 1)" }

  private func variant(_ group: SoundGroup, _ number: Int) -> [String] {
    func whole(_ rate: Double) -> Int { Int(max(1, rate.rounded(.up))) }
    let codecs =
      [video?.codec].compactMap(\.self) + group.codecs + (subtitles.isEmpty ? [] : ["wvtt"])
    var values = [
      "BANDWIDTH=\(whole(group.bitRate.peak + (video?.bitRate.peak ?? 0)))",
      "AVERAGE-BANDWIDTH=\(whole(group.bitRate.average + (video?.bitRate.average ?? 0)))",
      "CODECS=\"\(codecs.joined(separator: ","))\"",
    ]
    if let video {
      if let codec = video.supplementalCodec { values.append("SUPPLEMENTAL-CODECS=\"\(codec)\"") }
      values.append("RESOLUTION=\(video.width)x\(video.height)")
      if let rate = video.frameRate {
        values.append("FRAME-RATE=\(rate.fixed(3) ?? "0")")
      }
      values.append("VIDEO-RANGE=\(video.range)")
    }
    values.append("AUDIO=\"\(groupID(number))\"")
    if !subtitles.isEmpty { values.append("SUBTITLES=\"subs\"") }
    return values
  }

  /// The renditions of one group, whose names have to differ (RFC 8216, 4.3.4.1.1).
  private static func distinct(_ group: [Rendition]) -> [Rendition] {
    var used: Set<String> = []
    return group.map { rendition in
      var rendition = rendition
      let name = quoted(rendition.name)
      rendition.name = name
      var number = 2
      while !used.insert(rendition.name).inserted {
        rendition.name = "\(name) \(number)"
        number += 1
      }
      return rendition
    }
  }

  private func media(
    _ type: String, _ group: String, _ rendition: Rendition, extra: String
  ) -> String {
    let language =
      rendition.language.isEmpty
      ? "" : "LANGUAGE=\"\(HLSMultivariantPlaylist.quoted(rendition.language))\","
    let characteristics =
      rendition.characteristics.isEmpty
      ? "" : "CHARACTERISTICS=\"\(rendition.characteristics.joined(separator: ","))\","
    return "#EXT-X-MEDIA:TYPE=\(type),GROUP-ID=\"\(group)\","
      + "NAME=\"\(HLSMultivariantPlaylist.quoted(rendition.name))\",\(language)"
      + "DEFAULT=\(rendition.isDefault ? "YES" : "NO"),AUTOSELECT=\(rendition.isAutomatic ? "YES" : "NO")\(extra),"
      + characteristics + "URI=\"\(rendition.playlistName)\""
  }

  /// Text for a quoted string, which holds neither quotes nor line ends, nor other control characters (RFC 8216, 4.1).
  private static func quoted(_ text: String) -> String {
    // Scalars are compared, because a quotation mark with a combining accent is another character.
    let plain = text.unicodeScalars.filter {
      !Character($0).isNewline && $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(plain.map { $0 == "\"" ? "'" : $0 }))
  }
}

/// The media playlist of one rendition (RFC 8216, 4.3): its segments are byte ranges of a single
/// fragmented MP4 file, or a file each.
package struct HLSMediaPlaylist: Sendable {
  /// The place of the media, as URIs relative to the playlist.
  package enum Place: Sendable, Equatable {
    /// In one MP4 file.
    case file(String)
    /// The initialisation section and each segment in files of their own.
    case segments(initialization: String, media: [String])
  }

  /// Place of the media; of segments as many as there are fragments.
  package var place: Place
  /// Ticks a second in which the fragments count.
  package var timescale: Int
  /// Bytes before the first fragment.
  package var initializationSize: Int64
  /// The segments: one fragment each.
  package var fragments: [FragmentRecord]
  /// Whether each segment can be decoded without any other.
  package var isIndependent: Bool
  /// Least target duration, s: that of all media playlists of a presentation is the same (RFC 8216, 6.2.4).
  package var leastTarget = 1

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
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(target)",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD",
    ]
    if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    lines.append(map)
    for (index, length) in lengths.enumerated() {
      lines.append("#EXTINF:\(length.decimal(6)),")
      lines += segment(index)
    }
    return (lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n") + "\n"
  }

  /// Longest segment in whole seconds, and at least ``leastTarget``.
  package var target: Int {
    max(leastTarget, lengths.map { Int(($0 + 500_000) / 1_000_000) }.max() ?? 1)
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
}
