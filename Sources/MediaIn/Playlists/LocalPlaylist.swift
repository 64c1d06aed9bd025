// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// An HLS playlist on disk and the files that it names; for checking them, not for playing.
package struct LocalPlaylist: Sendable {
  /// One media segment.
  package struct Segment: Sendable {
    /// Path of the file that holds it.
    package let path: String
    /// Its bytes in that file; `nil` for all.
    package let range: Range<Int64>?
    /// Duration that EXTINF states, in nanoseconds.
    package let duration: Int64
    /// Path and bytes of its initialisation section; `nil` without one.
    package let map: Map?
  }

  /// An initialisation section.
  package struct Map: Sendable, Equatable {
    /// Path of the file that holds it.
    package let path: String
    /// Its bytes in that file; `nil` for all.
    package let range: Range<Int64>?

    package static func == (one: Map, other: Map) -> Bool {
      PathName(one.path) == PathName(other.path) && one.range == other.range
    }
  }

  /// Paths of the media playlists that a multivariant playlist names; empty for a media playlist.
  package let playlists: [String]
  /// Segments of a media playlist.
  package let segments: [Segment]
  /// EXT-X-TARGETDURATION in seconds; `nil` without.
  package let targetDuration: Int?
  /// Whether EXT-X-ENDLIST closes it.
  package let isComplete: Bool
  /// Violations of RFC 8216 in its text.
  package let flaws: [PlaylistFlaw]
  /// Whether it begins with a byte order mark.
  package let hasByteOrderMark: Bool

  /// Reads the playlist at `path`.
  /// - Throws: ``MediaError`` when it is missing, is no playlist, or names a file outside of its folder or
  ///   on the web.
  package init(path: String) throws {
    let file = try MediaFile.locate(path)
    let bytes = file.bytes(at: 0, count: PlaylistLine.limit)
    guard let lines = PlaylistLine.lines(of: bytes) else {
      throw MediaError(.inputUnreadable, about: path, "is no playlist")
    }
    hasByteOrderMark = bytes.withoutByteOrderMark.count < bytes.count
    flaws = PlaylistRules(bytes, lines).flaws
    let address = ResourceAddress.localPlaylist(path)
    func resolve(_ uri: String) throws -> String {
      guard case .local(let path, _) = try address.resolving(uri) else {
        throw MediaError(
          .unsupportedFeature, about: path,
          "names \(WebSecrets.hidden(reference: uri)); only playlists of local files are checked")
      }
      return path
    }
    func value(_ name: String) -> String? {
      lines.compactMap { entry -> String? in
        if case .tag(name, let value) = entry.line { return value }
        return nil
      }.first
    }
    targetDuration = value("#EXT-X-TARGETDURATION").flatMap { Int($0) }
    guard !MultivariantPlaylist.isMultivariant(bytes) else {
      playlists = try LocalPlaylist.uris(lines).map(resolve)
      segments = []
      isComplete = true
      return
    }
    let media = try MediaPlaylist(bytes, name: path)
    playlists = []
    isComplete = media.isComplete
    segments = try media.segments.map { segment in
      Segment(
        path: try resolve(segment.uri), range: segment.range, duration: segment.duration,
        map: try segment.map.map { Map(path: try resolve($0.uri), range: $0.range) })
    }
  }

  /// All playlists of a multivariant one, renditions first, each once.
  private static func uris(_ lines: [(number: Int, line: PlaylistLine)]) -> [String] {
    var found: [String] = []
    for (_, line) in lines {
      switch line {
      case .tag("#EXT-X-MEDIA", let value):
        if let uri = PlaylistAttributes(value)["URI"] { found.append(uri) }
      case .uri(let uri): found.append(uri)
      case .tag: break
      }
    }
    var seen: PathSet = []
    return found.filter { seen.insert($0) }
  }
}
