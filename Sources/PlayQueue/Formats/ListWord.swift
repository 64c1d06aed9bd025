import AudioCore

/// Small pieces of text that all lists share.
///
/// All of them look at single scalars: a blank or a quote with a combining mark behind it is one character to
/// Swift, and none of these.
enum ListWord {
  /// The text without blanks and tabs at either end.
  static func trimmed(_ text: Substring) -> Substring {
    var rest = text.unicodeScalars
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return Substring(rest)
  }

  /// The first word in front of a blank or tab, and the trimmed rest.
  static func split(_ text: Substring) -> (word: Substring, rest: Substring) {
    let word = text.unicodeScalars.prefix { !isBlank($0) }
    return (Substring(word), trimmed(Substring(text.unicodeScalars[word.endIndex...])))
  }

  /// The last word behind a blank or tab, and the trimmed text in front; `nil` for a single word.
  static func splitLast(_ text: Substring) -> (rest: Substring, word: Substring)? {
    let scalars = text.unicodeScalars
    guard let blank = scalars.lastIndex(where: isBlank) else { return nil }
    let word = scalars[scalars.index(after: blank)...]
    return (trimmed(Substring(scalars[..<blank])), Substring(word))
  }

  /// What stands in quotes at the beginning of `text`, up to the last quote, so that quotes inside are kept,
  /// and the trimmed rest; `nil` without a quote at the beginning. A quote that never closes ends with its text.
  static func quotation(_ text: Substring) -> (inside: Substring, rest: Substring)? {
    let scalars = text.unicodeScalars
    guard scalars.first == "\"" else { return nil }
    let inside = scalars.dropFirst()
    guard let close = inside.lastIndex(of: "\"") else { return (Substring(inside), "") }
    return (
      Substring(inside[..<close]), trimmed(Substring(inside[inside.index(after: close)...]))
    )
  }

  /// What stands in front of the first `sign` and, trimmed, behind it; `nil` without one.
  static func divided(
    _ text: Substring, at sign: Unicode.Scalar
  ) -> (front: Substring, behind: Substring)? {
    let scalars = text.unicodeScalars
    guard let place = scalars.firstIndex(of: sign) else { return nil }
    return (
      Substring(scalars[..<place]), trimmed(Substring(scalars[scalars.index(after: place)...]))
    )
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

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
