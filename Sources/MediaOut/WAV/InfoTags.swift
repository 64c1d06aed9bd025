import AudioCore
import ISOBMFF

/// Tags in the INFO list of a WAV file, as libsndfile writes it: one text for each of a few names.
package struct InfoTags: Sendable, Equatable {
  /// Longest text that libsndfile writes whole beside others, in UTF-8 bytes.
  package static let longest = 16_384

  /// Texts by the type of their chunk, e.g. `INAM`.
  package private(set) var texts: [String: String] = [:]
  /// Names of the tags that were cut to ``longest``.
  package private(set) var cut: [String] = []

  /// No tags.
  package init() {}

  /// The ones of `tags` that INFO has a place for; several values are parted by `; `.
  package init(_ tags: MediaTags) {
    for (entry, values) in tags.grouped {
      guard let known = entry.known, let chunk = known.chunk else { continue }
      let text = values.joined(separator: "; ")
      let bytes = CutText.utf8(text, limit: InfoTags.longest)
      if bytes.count < text.utf8.count { cut.append(known.name) }
      texts[chunk] = String(decoding: bytes, as: UTF8.self)
    }
  }
}
