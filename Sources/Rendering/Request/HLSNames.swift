import MediaOut
import Platform

/// Names of the files that make up an output in HLS.
struct HLSNames {
  /// A rendition: its media and the playlist that plays it.
  struct Rendition {
    /// The file with the media.
    let movie: String
    /// The media playlist.
    let playlist: String
    /// What the names of its segments begin with, where they are files.
    var prefix = ""

    /// File name of its initialisation section.
    var initialization: String { "\(prefix)-init.mp4" }

    /// File name of segment number `index`, from 0.
    func segment(_ index: Int) -> String {
      let number = "\(index + 1)"
      let zeros = String(repeating: "0", count: max(0, 5 - number.count))
      return "\(prefix)-\(zeros)\(number).m4s"
    }
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
    audio = Rendition(movie: base + ".mp4", playlist: base + "-audio.m3u8", prefix: "audio")
    video = Rendition(movie: base + "-video.mp4", playlist: base + "-video.m3u8", prefix: "video")
  }

  /// The folder of segments, where they are files.
  var folder: String { base + "-segments" }

  /// The titles of chapters as JSON.
  var chapters: String { base + "-chapters.json" }

  /// Subtitles number `index`, from 0.
  func subtitles(_ index: Int) -> Rendition {
    let name = base + "-subtitles-\(index + 1)"
    return Rendition(movie: name + ".vtt", playlist: name + ".m3u8")
  }

  /// Where the media of `rendition` lie, seen from its playlist.
  func place(
    of rendition: Rendition, segments: Int?
  ) -> HLSMediaPlaylist.Place {
    guard let segments else { return .file(HLSNames.uri(rendition.movie)) }
    let folder = HLSNames.uri(self.folder)
    return .segments(
      initialization: "\(folder)/\(rendition.initialization)",
      media: (0..<segments).map { "\(folder)/\(rendition.segment($0))" })
  }

  /// The name of a file in the same folder as a URI relative to it (RFC 3986, 2.3 and 3.3).
  static func uri(_ path: String) -> String {
    let name = PathParts.of(path).last ?? ""
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    return name.utf8.map { byte in
      guard !plain.contains(byte) else { return String(decoding: [byte], as: UTF8.self) }
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
