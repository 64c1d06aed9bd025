import AudioCore

/// ISO 639 two-letter and three-letter codes of one language, so that `en` finds `eng`.
enum LanguageCodes {
  /// Whether two tags name the same language; regions (`en-GB`) are ignored.
  static func same(_ left: String, _ right: String) -> Bool {
    canonical(left) == canonical(right)
  }

  /// The codes behind `lang:`, e.g. of `lang:en,de`; `nil` for any other text.
  static func list(_ text: String) -> [String]? {
    guard text.hasPrefix("lang:") else { return nil }
    let codes = text.dropFirst(5).split(separator: ",").map(String.init)
    return codes.isEmpty ? nil : codes
  }

  private static func canonical(_ tag: String) -> String {
    if let known = LanguageTag(tag) { return known.language }
    let base = tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first
    return base.map(String.init) ?? ""
  }
}
