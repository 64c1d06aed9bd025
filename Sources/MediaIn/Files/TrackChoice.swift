import AudioCore
import LibAV

/// Which audio track the user wants (`--audio`).
public enum TrackChoice: Sendable, Hashable, Codable {
  /// The track marked as default, else the first that is no commentary or dub, else the first.
  case automatic
  /// The n-th audio track, counted from 0.
  case index(Int)
  /// A track in the first of these languages (ISO 639 codes) that the file has.
  case languages([String])

  /// Parses `default`, an index from 0 or `lang:` with language codes, e.g. `lang:en,de`.
  /// - Throws: ``MediaError`` of kind `usage` for any other text.
  public init(_ text: String) throws {
    if text == "default" {
      self = .automatic
    } else if let index = Int(text), index >= 0 {
      self = .index(index)
    } else if let languages = LanguageCodes.list(text) {
      self = .languages(languages)
    } else {
      throw MediaError(
        .usage,
        "\(setting: .track) \(text): not a track; give an index from 0, lang:en[,de] or default")
    }
  }

  /// Picks one of `streams` and records the reason.
  /// - Throws: ``MediaError`` of kind `noAudio` or `usage`.
  func pick(from streams: [StreamInfo], path: String, log: DiagnosticLog) throws -> StreamInfo {
    let tracks = streams.filter { $0.kind == .audio }
    guard let first = tracks.first else {
      throw MediaError(.noAudio, about: path, "has no audio track; give a file with sound")
    }
    let chosen: StreamInfo
    let reason: String
    switch self {
    case .index(let index):
      guard tracks.indices.contains(index) else {
        throw MediaError(
          .usage, about: path,
          "has no audio track \(index); it has 0 to \(tracks.count - 1), see pinna probe")
      }
      (chosen, reason) = (tracks[index], "asked for by \(setting: .track) \(index)")
    case .languages(let wanted):
      (chosen, reason) = try TrackChoice.byLanguage(wanted, tracks, path)
    case .automatic:
      (chosen, reason) = TrackChoice.automatic(tracks, first)
    }
    log.decide(.track, "stream \(chosen.index) (\(chosen.codec))", why: reason)
    return chosen
  }

  private static func byLanguage(
    _ wanted: [String], _ tracks: [StreamInfo], _ path: String
  ) throws -> (StreamInfo, String) {
    for language in wanted {
      let matches = tracks.filter { LanguageCodes.same($0.language ?? "und", language) }
      let plain = matches.first { $0.dispositions.isEmpty }
      if let match = matches.first(where: \.isDefault) ?? plain ?? matches.first {
        return (match, "language \(language)")
      }
    }
    let present = tracks.map { $0.language ?? "und" }.joined(separator: ", ")
    throw MediaError(
      .usage, about: path,
      "has no audio in \(wanted.joined(separator: " or ")); its tracks are \(present)")
  }

  private static func automatic(_ tracks: [StreamInfo], _ first: StreamInfo) -> (
    StreamInfo, String
  ) {
    if tracks.count == 1 { return (first, "only audio track") }
    if let marked = tracks.first(where: \.isDefault) { return (marked, "default disposition") }
    if let plain = tracks.first(where: { $0.dispositions.isEmpty }), plain.index != first.index {
      return (plain, "first audio track that is no commentary or dub; none is marked default")
    }
    return (first, "first of \(tracks.count) audio tracks; none is marked default")
  }
}
