// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV

extension MovieTags {
  /// Atoms that hold an integer, and its bytes.
  private static let integers = [
    "tmpo": 2, "cpil": 1, "pgap": 1, "pcst": 1, "hdvd": 1, "rtng": 1, "stik": 1, "tvsn": 4,
    "tves": 4, "©mvi": 2, "©mvc": 2, "shwm": 1,
  ]

  /// Converts tags (to freeform items where no atom is for them), ReplayGain, the encoder's name, pictures and chapters. The extension of
  /// the output's `name` (.m4b) marks an audiobook.
  package init(_ texts: TrackTexts, name: String) {
    self.init()
    let tags = texts.tags
    var taken: Set<String> = []
    for (entry, values) in tags.grouped {
      let total = entry.known?.total
      guard let known = entry.known, let atom = known.atom,
        let found = MovieTags.values(values, atom: atom, total: total.flatMap { tags[$0] })
      else { continue }
      items.append(MovieItem(atom, values: found))
      taken.insert(entry.key)
      if let total { taken.insert(total) }
    }
    for (entry, values) in tags.grouped where !taken.contains(entry.key) {
      items.append(
        MovieItem(
          freeform: entry.known?.freeName ?? entry.name, values: values.map { .text($0) }))
    }
    items += texts.replayGain.map { MovieItem(freeform: $0.name, values: [.text($0.value)]) }
    encoder = texts.maker.isEmpty ? nil : texts.maker
    // The front cover goes first, because players show only the first picture.
    let front = texts.pictures.filter { $0.kind == AttachedPicture.frontCover }
    let others = texts.pictures.filter { $0.kind != AttachedPicture.frontCover }
    pictures = (front + others).map(\.bytes)
    chapters = texts.chapters.map { MovieChapter(start: $0.time, title: $0.title) }
    isAudiobook = name.lowercased().hasSuffix(".m4b")
  }

  /// The values as the atom holds them; `nil` where it can't.
  private static func values(
    _ texts: [String], atom: String, total: String?
  ) -> [MovieItem.Value]? {
    // These hold one number and one total.
    if atom == "trkn" || atom == "disk" {
      return texts.count == 1 ? number(texts[0], total: total).map { [$0] } : nil
    }
    guard let bytes = integers[atom] else { return texts.map { .text($0) } }
    let numbers = texts.map { Int($0) }
    guard numbers.allSatisfy({ $0.map { (0..<1 << (8 * bytes)).contains($0) } == true }) else {
      return nil
    }
    return numbers.map { .integer($0 ?? 0, bytes: bytes) }
  }

  /// A number such as "3" or "3/12", with `total` where it has none of its own; `nil` for anything else.
  private static func number(_ text: String, total: String?) -> MovieItem.Value? {
    var parts = text.parts(at: "/")
    if parts.count == 1, let total { parts.append(total) }
    let numbers = parts.map { Int($0) }
    guard numbers.count <= 2, numbers.allSatisfy({ $0.map((0...65_535).contains) == true }),
      let number = numbers[0], number > 0
    else { return nil }
    // A total of 0 is none.
    return .number(number, of: numbers.count > 1 ? numbers[1] ?? 0 : 0)
  }
}
