/// One variant stream of a multivariant playlist (RFC 8216, 4.3.4.2).
package struct PlaylistVariant: Sendable, Equatable {
  /// URI of its media playlist, as written.
  package let uri: String
  /// Peak bit rate in bits a second.
  package let bandwidth: Int64
  /// Formats of its samples (RFC 6381), as written.
  package let codecs: String?
  /// Group of its audio renditions.
  package let audioGroup: String?
  /// Group of its subtitle renditions.
  package var subtitleGroup: String?
  /// Whether the size of its pictures is stated.
  package var hasResolution = false

  /// Whether it may have sound: it has an audio group, its codecs name a format of audio, or no codecs are
  /// stated.
  var mayHaveAudio: Bool {
    guard audioGroup == nil, let codecs else { return true }
    return codecs.split(separator: ",").contains { codec in
      let name = codec.filter { $0 != " " }
      return !PlaylistVariant.pictures.contains { name.hasPrefix($0) }
    }
  }

  /// Whether it has pictures by what the playlist states: a resolution, a video codec, or an audio group
  /// without codecs.
  var hasPictures: Bool {
    if hasResolution { return true }
    guard let codecs else { return audioGroup != nil }
    return codecs.split(separator: ",").contains { codec in
      let name = codec.filter { $0 != " " }
      return PlaylistVariant.moving.contains { name.hasPrefix($0) }
    }
  }

  private static let pictures = moving + ["wvtt", "stpp"]
  private static let moving = [
    "avc", "hvc", "hev", "dvh", "dva", "dav", "vp0", "vp8", "vp9", "av01", "mp4v",
  ]
}
