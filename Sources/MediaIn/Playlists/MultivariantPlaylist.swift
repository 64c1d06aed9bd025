// SPDX-License-Identifier: Apache-2.0
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

/// One audio rendition of a multivariant playlist (RFC 8216, 4.3.4.1).
package struct PlaylistRendition: Sendable, Equatable {
  package let group: String
  package let name: String
  /// Language tag (RFC 5646).
  package let language: String?
  /// Value of CHANNELS, as written: the number of channels and further parameters.
  package let channels: String?
  /// Whether it is played when the user chooses none.
  package let isDefault: Bool
  /// Whether a player may choose it by the user's settings, such as the language of the system.
  package let isAutoselect: Bool
  /// URI of its media playlist, as written; `nil` when it lies in the variants themselves.
  package let uri: String?
}

/// The media playlist, of those that a multivariant playlist lists, that is rendered.
struct RenditionChoice: Equatable {
  /// URI of the media playlist, as written.
  let uri: String
  /// The choice among the tracks inside the media playlist.
  let track: TrackChoice
  /// Whether pictures that go with it lie in another media playlist.
  let hasPicturesElsewhere: Bool
  /// Subtitle renditions that go with it.
  let subtitles: Int

  /// Takes the variant of the highest bandwidth; of its audio renditions the wanted one, else the
  /// default, else the first that may be selected, else the first. Records the reason.
  /// - Throws: ``MediaError`` of kind `usage` when the wanted rendition isn't there.
  init(
    _ playlist: MultivariantPlaylist, track: TrackChoice, name: String, log: DiagnosticLog
  ) throws {
    let ranked = playlist.variants.enumerated().sorted {
      ($0.element.mayHaveAudio ? 0 : 1, -$0.element.bandwidth, $0.offset)
        < ($1.element.mayHaveAudio ? 0 : 1, -$1.element.bandwidth, $1.offset)
    }.map(\.element)
    guard let best = ranked.first else {
      throw MediaError(.internal, about: name, "a playlist without variants")
    }
    let group = playlist.renditions.filter { $0.group == best.audioGroup }
    log.decide(
      .variant, WebSecrets.hidden(reference: best.uri),
      why: playlist.variants.count == 1
        ? "only variant"
        : "highest bandwidth of \(playlist.variants.count) (\(best.bandwidth) bit/s)")
    subtitles = playlist.subtitleGroups.filter { $0 == best.subtitleGroup }.count
    guard !group.isEmpty else {
      (uri, self.track) = (best.uri, track)
      hasPicturesElsewhere = false
      return
    }
    let chosen: PlaylistRendition
    let reason: String
    switch track {
    case .automatic: (chosen, reason) = RenditionChoice.automatic(group, group[0])
    case .index(let index):
      guard group.indices.contains(index) else {
        throw MediaError(
          .usage, about: name,
          "has no audio rendition \(index); it has 0 to \(group.count - 1), see pinna probe"
        )
      }
      (chosen, reason) = (group[index], "asked for by \(setting: .track) \(index)")
    case .languages(let wanted):
      (chosen, reason) = try RenditionChoice.byLanguage(wanted, group, name)
    case .all, .several: throw TrackChoice.severalRefused(name)
    }
    log.decide(.rendition, chosen.name.isEmpty ? chosen.group : chosen.name, why: reason)
    (uri, self.track) = (chosen.uri ?? best.uri, .automatic)
    // The chosen variant may be one without pictures, so all variants with its audio group count.
    let variants = playlist.variants.filter { $0.audioGroup == best.audioGroup }
    hasPicturesElsewhere =
      chosen.uri != nil && variants.contains { $0.hasPictures && $0.uri != chosen.uri }
  }

  private static func automatic(
    _ group: [PlaylistRendition], _ first: PlaylistRendition
  ) -> (PlaylistRendition, String) {
    if group.count == 1 { return (first, "only audio rendition") }
    if let marked = group.first(where: \.isDefault) { return (marked, "default rendition") }
    if let auto = group.first(where: \.isAutoselect) {
      return (auto, "first audio rendition that may be selected; none is marked default")
    }
    return (first, "first of \(group.count) audio renditions; none is marked default")
  }

  private static func byLanguage(
    _ wanted: [String], _ group: [PlaylistRendition], _ name: String
  ) throws -> (PlaylistRendition, String) {
    for language in wanted {
      let matches = LanguageCodes.best(group, for: language, by: \.language)
      if let match = matches.first(where: \.isDefault) ?? matches.first(where: \.isAutoselect)
        ?? matches.first
      {
        return (match, "language \(language)")
      }
    }
    let present = group.map { $0.language ?? "und" }.joined(separator: ", ")
    throw MediaError(
      .usage, about: name,
      "has no audio in \(wanted.joined(separator: " or ")); its renditions are \(present)")
  }
}
