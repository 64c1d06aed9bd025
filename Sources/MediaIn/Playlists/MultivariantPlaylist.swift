import AudioCore

/// A multivariant playlist: the same programme in several forms (RFC 8216, 4.3.4).
struct MultivariantPlaylist: Equatable {
  /// Variant streams in order.
  private(set) var variants: [PlaylistVariant] = []
  /// Audio renditions in order.
  private(set) var renditions: [PlaylistRendition] = []
  /// Group of each subtitle rendition in order.
  private(set) var subtitleGroups: [String] = []

  /// Greatest number of variants, and of renditions, that is read.
  static let limit = 10_000

  /// Whether these bytes are a multivariant playlist.
  static func isMultivariant(_ bytes: [UInt8]) -> Bool {
    PlaylistLine.lines(of: bytes)?.contains {
      if case .tag("#EXT-X-STREAM-INF", _) = $0.line { return true }
      return false
    } ?? false
  }

  /// Reads a playlist that messages call `name`.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` or `unsupportedFeature`.
  init(_ bytes: [UInt8], name: String) throws {
    var variant: PlaylistAttributes?
    for (number, line) in PlaylistLine.lines(of: bytes) ?? [] {
      switch line {
      case .tag("#EXT-X-STREAM-INF", let value): variant = PlaylistAttributes(value)
      case .tag("#EXT-X-MEDIA", let value): add(rendition: PlaylistAttributes(value))
      case .tag("#EXT-X-DEFINE", _):
        throw MediaError(
          .unsupportedFeature, about: name,
          "line \(number): EXT-X-DEFINE isn't supported; give the media playlist")
      case .tag: break
      case .uri(let uri):
        guard let attributes = variant else { continue }
        variants.append(
          PlaylistVariant(
            uri: uri, bandwidth: attributes.integer("BANDWIDTH") ?? 0,
            codecs: attributes["CODECS"], audioGroup: attributes["AUDIO"],
            subtitleGroup: attributes["SUBTITLES"],
            hasResolution: attributes["RESOLUTION"] != nil))
        variant = nil
      }
      guard
        max(variants.count, renditions.count, subtitleGroups.count) <= MultivariantPlaylist.limit
      else {
        throw MediaError(
          .inputUnreadable, about: name, "lists more than \(MultivariantPlaylist.limit) variants")
      }
    }
    guard !variants.isEmpty else {
      throw MediaError(.inputUnreadable, about: name, "names no playlist of a variant")
    }
  }

  private mutating func add(rendition attributes: PlaylistAttributes) {
    guard let group = attributes["GROUP-ID"] else { return }
    if attributes["TYPE"] == "SUBTITLES" { subtitleGroups.append(group) }
    guard attributes["TYPE"] == "AUDIO" else { return }
    renditions.append(
      PlaylistRendition(
        group: group, name: attributes["NAME"] ?? "", language: attributes["LANGUAGE"],
        channels: attributes["CHANNELS"], isDefault: attributes.isSet("DEFAULT"),
        isAutoselect: attributes.isSet("AUTOSELECT"), uri: attributes["URI"]))
  }
}
