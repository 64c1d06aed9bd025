/// The words of a line, with numbers as people write them.
struct EqualizerWords {
  /// Signs between thousands that are nothing else between digits: no-break, figure, thin and narrow spaces, apostrophes, and
  /// what those of Windows-1252 become as UTF-8.
  private static let groupSigns: Set<Unicode.Scalar> = [
    "\u{A0}", "\u{2007}", "\u{2009}", "\u{202F}", "'", "\u{2019}", "\u{FFFD}",
  ]
  /// Highest frequency in Hz that a single point or comma before three digits makes.
  private static let highestGrouped = 24_000.0

  private let words: [Substring]

  /// The words of `text`.
  init(_ text: some StringProtocol) {
    words = Substring(Self.joined(Array(text.unicodeScalars))).split(whereSeparator: \.isWhitespace)
  }

  /// The text without signs between a digit and a group of three.
  private static func joined(_ text: [Unicode.Scalar]) -> String {
    func isDigit(_ place: Int) -> Bool {
      text.indices.contains(place) && ("0"..."9").contains(text[place])
    }
    var result = String.UnicodeScalarView()
    for (place, scalar) in text.enumerated() {
      let isSign =
        groupSigns.contains(scalar) && isDigit(place - 1)
        && (1...3).allSatisfy { isDigit(place + $0) } && !isDigit(place + 4)
      if !isSign { result.append(scalar) }
    }
    return String(result)
  }

  /// The first word.
  var first: Substring? { words.first }

  /// All words that are numbers.
  var numbers: [Double] { words.compactMap(Self.number) }

  /// Word number `index`; `nil` behind the end.
  func word(_ index: Int) -> Substring? { index < words.count ? words[index] : nil }

  /// The number behind the word `name`, in small letters.
  func number(after name: String) -> Double? {
    guard let place = words.firstIndex(where: { $0.lowercased() == name }),
      place + 1 < words.count
    else { return nil }
    return Self.number(words[place + 1])
  }

  /// The text after `Fc`.
  enum Frequency {
    /// A frequency in Hz.
    case hertz(Double)
    /// Text that may be read in two ways.
    case unclear(String)
  }

  /// The frequency behind `Fc`; `nil` for none.
  ///
  /// As Equalizer APO reads what Room EQ Wizard writes: a point or a comma before the last three digits separates thousands.
  var frequency: Frequency? {
    guard let place = words.firstIndex(where: { $0.lowercased() == "fc" }),
      let word = self.word(place + 1), let value = Self.number(word)
    else { return nil }
    let next = self.word(place + 2)
    // A plain space might separate thousands, too.
    if let next, Self.number(next) != nil { return .unclear("\(word) \(next)") }
    if word.lowercased().hasSuffix("khz") || next?.lowercased() == "khz" {
      return .hertz(value * 1000)
    }
    let digits = word.prefix { !$0.isLetter }
    guard let mark = digits.firstIndex(where: { $0 == "." || $0 == "," }),
      !word.lowercased().contains("e"), Self.areGrouped(digits, by: digits[mark])
    else { return .hertz(value) }
    // Beyond it, three decimals are likelier: 105.000 is meant as 105.
    guard let whole = Double(digits.filter { $0 != digits[mark] }), whole <= Self.highestGrouped
    else { return .unclear(String(word)) }
    return .hertz(whole)
  }

  /// The number between the type and `Fc`; `nil` for none.
  var slope: Double? {
    guard words.count > 2 else { return nil }
    return Self.number(words[2])
  }

  /// A number with a decimal point or comma. Of both, the last is the decimal mark and the other separates thousands, and so does
  /// one that comes more than once. Units may follow without a space.
  static func number(_ word: Substring) -> Double? {
    let lower = word.lowercased()
    let unit = ["khz", "hz", "db"].first { lower.hasSuffix($0) } ?? ""
    var text = lower.dropLast(unit.count).replacing("\u{2212}", with: "-")
    let marks = text.filter { $0 == "." || $0 == "," }
    if let first = marks.first, let last = marks.last, marks.count > 1 {
      let whole = first == last ? text[...] : text.prefix { $0 != last }
      guard areGrouped(whole, by: first) else { return nil }
      text.removeAll { $0 == first }
    }
    text = text.replacing(",", with: ".")
    // Words such as "nan" and "inf" are no numbers here.
    guard let first = text.first, first.isNumber || first == "-" || first == "+" || first == ".",
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// Whether `mark` separates thousands in `text`: one to three digits and groups of three, but no 0 in front.
  private static func areGrouped(_ text: Substring, by mark: Character) -> Bool {
    let groups = text.drop { $0 == "-" || $0 == "+" }
      .split(separator: mark, omittingEmptySubsequences: false)
    guard let first = groups.first, groups.count > 1, first.first != "0" else { return false }
    return (1...3).contains(first.count) && groups.dropFirst().allSatisfy { $0.count == 3 }
      && groups.joined().allSatisfy { ("0"..."9").contains($0) }
  }
}
