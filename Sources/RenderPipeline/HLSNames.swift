/// Names of the files that make up an output in HLS.
struct HLSNames {
  /// A rendition: its media and the playlist that plays it.
  struct Rendition {
    /// The file with the media.
    let movie: String
    /// The media playlist.
    let playlist: String
  }

  /// The multivariant playlist, which is the output's own name.
  let multivariant: String
  /// The sound.
  let audio: Rendition
  /// The pictures.
  let video: Rendition
  private let base: String

  init(_ path: String) {
    let base = path.hasSuffix(".m3u8") ? String(path.dropLast(5)) : path
    multivariant = path
    self.base = base
    audio = Rendition(movie: base + ".mp4", playlist: base + "-audio.m3u8")
    video = Rendition(movie: base + "-video.mp4", playlist: base + "-video.m3u8")
  }

  /// Subtitles number `index`, from 0.
  func subtitles(_ index: Int) -> Rendition {
    let name = base + "-subtitles-\(index + 1)"
    return Rendition(movie: name + ".vtt", playlist: name + ".m3u8")
  }

  /// The name of a file in the same folder as a URI relative to it (RFC 3986, 2.3 and 3.3).
  static func uri(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    return name.utf8.map { byte in
      guard !plain.contains(byte) else { return String(decoding: [byte], as: UTF8.self) }
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
