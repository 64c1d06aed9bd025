/// The words of a line, with numbers as people write them.
struct EqualizerWords {
  private let words: [Substring]

  /// The words of `text`.
  init(_ text: some StringProtocol) {
    words = Substring(text).split(whereSeparator: \.isWhitespace)
  }

  /// The first word.
  var first: Substring? { words.first }

  /// All words that are numbers.
  var numbers: [Double] { words.compactMap(Self.number) }

  /// Word number `index`; `nil` behind the end.
  func word(_ index: Int) -> Substring? { index < words.count ? words[index] : nil }

  /// Whether `name`, in small letters, is among the words.
  func hasWord(_ name: String) -> Bool { words.contains { $0.lowercased() == name } }

  /// The number behind the word `name`, in small letters.
  func number(after name: String) -> Double? {
    guard let place = words.firstIndex(where: { $0.lowercased() == name }),
      place + 1 < words.count
    else { return nil }
    return Self.number(words[place + 1])
  }

  /// The number between the type and `Fc`; `nil` for none.
  var slope: Double? {
    guard words.count > 2 else { return nil }
    return Self.number(words[2])
  }

  /// A number with a point or a comma; a point and commas before it are thousands. Units may follow without a space.
  static func number(_ word: Substring) -> Double? {
    let lower = word.lowercased()
    let unit = ["khz", "hz", "db"].first { lower.hasSuffix($0) } ?? ""
    var text = String(lower.dropLast(unit.count))
    if text.contains(".") {
      text.removeAll { $0 == "," }
    } else {
      text = String(text.map { $0 == "," ? "." : $0 })
    }
    text = String(text.map { $0 == "\u{2212}" ? "-" : $0 })
    // Words such as "nan" and "inf" are no numbers here.
    guard let first = text.first, first.isNumber || first == "-" || first == "+" || first == ".",
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }
}
