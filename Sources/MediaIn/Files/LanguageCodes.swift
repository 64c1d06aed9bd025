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
    let base = tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first
    let code = base.map(String.init) ?? ""
    return groups.first { $0.contains(Substring(code)) }.map { String($0[0]) } ?? code
  }

  private static let groups: [[Substring]] = [
    "ar ara", "bg bul", "ca cat", "cs cze ces", "cy wel cym", "da dan", "de ger deu",
    "el gre ell", "en eng", "es spa", "et est", "eu baq eus", "fa per fas", "fi fin",
    "fr fre fra", "ga gle", "gl glg", "he heb", "hi hin", "hr hrv", "hu hun", "id ind",
    "is ice isl", "it ita", "ja jpn", "ko kor", "lt lit", "lv lav", "ms may msa", "nb nob",
    "nl dut nld", "nn nno", "no nor", "pl pol", "pt por", "ro rum ron", "ru rus",
    "sk slo slk", "sl slv", "sr srp", "sv swe", "th tha", "tr tur", "uk ukr", "vi vie",
    "zh chi zho",
  ].map { $0.split(separator: " ") }
}
