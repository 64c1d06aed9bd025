/// The value of one setting of a preset.
package enum PresetValue: Sendable, Equatable, Codable {
  /// A number in the setting's unit.
  case number(Double)
  /// One of the setting's words.
  case word(String)
  /// Yes or no.
  case flag(Bool)
  /// Texts.
  case list([String])

  /// The value as the command-line flag takes it: `-16`, `limit`, `true`.
  package var text: String {
    switch self {
    case .number(let value):
      let whole = value.rounded()
      return whole == value && value.magnitude < 1e9 ? String(Int(whole)) : String(value)
    case .word(let word): return word
    case .flag(let isOn): return isOn ? "true" : "false"
    case .list(let texts): return texts.joined(separator: ", ")
    }
  }

  /// Reads a bare value.
  /// - Throws: `DecodingError` when it is no number, text, truth value or list of texts.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let isOn = try? container.decode(Bool.self) {
      self = .flag(isOn)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let texts = try? container.decode([String].self) {
      self = .list(texts)
    } else {
      self = .word(try container.decode(String.self))
    }
  }

  /// Encodes the bare value.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let value): try container.encode(value)
    case .word(let word): try container.encode(word)
    case .flag(let isOn): try container.encode(isOn)
    case .list(let texts): try container.encode(texts)
    }
  }
}
