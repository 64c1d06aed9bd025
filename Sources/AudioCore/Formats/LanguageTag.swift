/// A language as containers name it, by codes of ISO 639 or tags of BCP 47 (RFC 5646), in the forms that outputs need.
package struct LanguageTag: Sendable, Equatable {
  /// The shortest tag of BCP 47: `es` for `spa`, `en-GB` for `eng_gb`.
  package let text: String
  /// The code of the language itself, in lower case, as short as there is one.
  package let language: String

  /// The language that `text` names; `nil` where it names none, such as `und` or a free text.
  package init?(_ text: String) {
    var parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
      .map { $0.lowercased() }
    guard let first = parts.first, LanguageTag.isLetters(first), (2...3).contains(first.utf8.count),
      first != "und", parts.allSatisfy(LanguageTag.isPart)
    else { return nil }
    parts[0] = LanguageTable.row(of: first)?.short ?? first
    language = parts[0]
    self.text = LanguageTag.written(parts)
  }

  /// The three letters of ISO 639-2/T, which MP4 has in `mdhd` (ISO/IEC 14496-12, 8.4.2.3); `nil` where there are none.
  package var terminological: String? {
    if let row = LanguageTable.row(of: language) { return row.terminological }
    return language.utf8.count == 3 ? language : nil
  }

  /// The name that its speakers give it, with the region or script where the tag has one; `nil` where that isn't known.
  package var name: String? {
    guard let row = LanguageTable.row(of: language) else { return nil }
    let rest = text.dropFirst(language.count + 1)
    return rest.isEmpty ? row.name : "\(row.name) (\(rest))"
  }

  private static func isLetters(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }

  /// Whether `part` is one to eight letters or digits (RFC 5646, 2.1).
  private static func isPart(_ part: String) -> Bool {
    (1...8).contains(part.utf8.count)
      && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// The parts in the usual letter case (RFC 5646, 2.1.1): regions in capitals, scripts with one.
  private static func written(_ parts: [String]) -> String {
    var isExtension = false
    return parts.enumerated().map { index, part in
      isExtension = isExtension || part.utf8.count == 1
      guard index > 0, !isExtension, isLetters(part) else { return part }
      switch part.utf8.count {
      case 2: return part.uppercased()
      case 4: return part.prefix(1).uppercased() + part.dropFirst()
      default: return part
      }
    }.joined(separator: "-")
  }
}
