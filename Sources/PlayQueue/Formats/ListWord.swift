import AudioCore

/// Small pieces of text that all lists share.
enum ListWord {
  /// The text without blanks and tabs at either end.
  static func trimmed(_ text: Substring) -> Substring {
    var rest = text
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }

  /// The first word in front of a blank or tab, and the trimmed rest.
  static func split(_ text: Substring) -> (word: Substring, rest: Substring) {
    let word = text.prefix { $0 != " " && $0 != "\t" }
    return (word, trimmed(text[word.endIndex...]))
  }

  /// The last word behind a blank or tab, and the trimmed text in front; `nil` for a single word.
  static func splitLast(_ text: Substring) -> (rest: Substring, word: Substring)? {
    guard let blank = text.lastIndex(where: { $0 == " " || $0 == "\t" }) else { return nil }
    return (trimmed(text[..<blank]), text[text.index(after: blank)...])
  }

  /// A whole number of 1 to `digits` ASCII digits; `nil` for anything else. `digits` is at most 18.
  static func whole(_ text: Substring, digits: Int) -> Int64? {
    let bytes = text.utf8
    guard (1...digits).contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return bytes.reduce(0) { $0 * 10 + Int64($1 - 48) }
  }

  /// Seconds with a decimal point, exactly; at most ten digits in front and nine behind it.
  static func seconds(_ text: Substring) -> MediaTime? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = whole(first, digits: 10) else { return nil }
    guard parts.count == 2 else { return MediaTime(ticks: whole, rate: 1) }
    guard let part = Self.whole(parts[1], digits: 9) else { return nil }
    let rate = parts[1].utf8.reduce(Int64(1)) { power, _ in power * 10 }
    return MediaTime(ticks: whole * rate + part, rate: rate)
  }

  /// The text in quotes for a message, cut to 80 characters and without control characters.
  static func quoted(_ text: some StringProtocol) -> String {
    let shown = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(80).filter { $0.properties.generalCategory != .control }))
    return "\"\(shown)\(text.unicodeScalars.count > 80 ? "…" : "")\""
  }
}
