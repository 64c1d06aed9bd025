/// What a setting of a preset may be.
package enum PresetRule: Sendable, Equatable {
  /// A number in this range, in this unit.
  case number(ClosedRange<Double>, unit: String)
  /// A number in this range, in this unit, or `off`.
  case numberOrOff(ClosedRange<Double>, unit: String)
  /// A whole number in this range, in this unit.
  case whole(ClosedRange<Int>, unit: String)
  /// One of these words.
  case word([String])
  /// `true` or `false`.
  case flag
  /// Texts of this kind.
  case list(String)

  /// The allowed values, for people.
  package var allowed: String {
    switch self {
    case .number(let range, let unit): return PresetRule.span(range, unit)
    case .numberOrOff(let range, let unit): return PresetRule.span(range, unit) + ", or off"
    case .whole(let range, let unit): return "\(range.lowerBound) to \(range.upperBound) \(unit)"
    case .word(let words): return words.joined(separator: ", ")
    case .flag: return "true or false"
    case .list(let what): return "\(what), or a list of them"
    }
  }

  /// The value that `text` stands for; `nil` when it isn't allowed.
  ///
  /// A word may be quoted in the file. A number or a flag may not (`isPlain`), because quoted it
  /// would be text.
  func value(of text: String, isPlain: Bool) -> PresetValue? {
    switch self {
    case .number(let range, _): return isPlain ? PresetRule.number(text, range) : nil
    case .numberOrOff(let range, _):
      return text == "off" ? .word(text) : isPlain ? PresetRule.number(text, range) : nil
    case .whole(let range, _):
      guard isPlain, let value = Int(text), range.contains(value) else { return nil }
      return .number(Double(value))
    case .word(let words): return words.contains(text) ? .word(text) : nil
    case .flag:
      guard isPlain, text == "true" || text == "false" else { return nil }
      return .flag(text == "true")
    // A list isn't one text; ``PresetDocument`` reads it.
    case .list: return nil
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Double>) -> PresetValue? {
    // Double also reads "nan", "inf" and hexadecimal.
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }),
      let value = Double(text), range.contains(value)
    else { return nil }
    return .number(value)
  }

  private static func span(_ range: ClosedRange<Double>, _ unit: String) -> String {
    let lower = PresetValue.number(range.lowerBound).text
    guard range.upperBound < 1000 else { return "\(lower) \(unit) or more" }
    return "\(lower) to \(PresetValue.number(range.upperBound).text) \(unit)"
  }
}
