import AudioCore

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
      let matches = group.filter { LanguageCodes.same($0.language ?? "und", language) }
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
