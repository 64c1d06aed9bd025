// SPDX-License-Identifier: Apache-2.0

/// Players of the outputs that browsers play. They link to the files, which are loaded when someone presses play.
struct MediaPlayers {
  /// Containers that the browsers of this time play; what their player can't decode, it says itself.
  private static let formats: Set<String> = ["wav", "flac", "mp3", "ogg", "mp4", "fmp4", "webm"]
  private static let (audio, video) = ("audio", "video")

  let outputs: [RenderReport.Output]
  let links: PageLinks

  /// The players; nothing where no file can be played, or the page doesn't lie where files are.
  var parts: [Markup] {
    let players = outputs.compactMap(player)
    return players.isEmpty ? [] : [Markup("div", ["class": "players"], players)]
  }

  /// Whether a page has players: only then its policy allows media. Text is escaped, so that a tag can only be one of these.
  static func arePart(of content: [Markup]) -> Bool {
    content.contains { $0.source.contains("<\(audio) ") || $0.source.contains("<\(video) ") }
  }

  private func player(_ output: RenderReport.Output) -> Markup? {
    guard MediaPlayers.formats.contains(output.format), let address = links(output.path) else {
      return nil
    }
    let hasPictures = output.tracks?.contains { $0.kind == .video } ?? false
    let name = PageText.fileName(output.path)
    return Markup(
      "figure", [:],
      [
        Markup("figcaption", ["class": "note"], [.name(name)]),
        Markup(
          hasPictures ? MediaPlayers.video : MediaPlayers.audio,
          [
            "controls": "controls", "preload": "none", "src": address,
            "aria-label": "Play \(SVGText.cleaned(String(name.prefix(100))))",
          ], [Markup("This browser has no player.")]),
      ])
  }
}
