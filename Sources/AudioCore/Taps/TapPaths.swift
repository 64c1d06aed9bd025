/// Paths in taps that are written as text, `POINT:KIND=ARGUMENTS`.
package enum TapPaths {
  /// Kinds whose arguments begin with a path, and what may stand behind it.
  private static let ofFiles = [(kind: "eq", end: ""), (kind: "fir", end: ",align=")]
  /// What stands before the path of a plugin's state.
  private static let state = ",state="

  /// The path in `text`; `nil` where there is none.
  package static func path(in text: String) -> String? { range(in: text).map { String(text[$0]) } }

  /// `text` with the path in it, if there is one, as `place` turns it.
  package static func placed(
    _ text: String, _ place: (String) throws -> String
  ) rethrows -> String {
    guard let range = range(in: text) else { return text }
    return text[..<range.lowerBound] + (try place(String(text[range]))) + text[range.upperBound...]
  }

  private static func range(in text: String) -> Range<String.Index>? {
    guard let sign = text.firstIndex(of: "=") else { return nil }
    let start = text.index(after: sign)
    let head = text[..<start]
    for (kind, end) in ofFiles where head.hasSuffix(":\(kind)=") {
      return start..<((end.isEmpty ? nil : text.ranges(of: end).last?.lowerBound) ?? text.endIndex)
    }
    guard head.hasSuffix(":lv2="), let mark = text.firstRange(of: state) else { return nil }
    return mark.upperBound..<(text[mark.upperBound...].firstIndex(of: ",") ?? text.endIndex)
  }
}
