// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Named settings for a render.
public struct Preset: Sendable, Equatable {
  /// The source of a preset.
  public enum Source: Sendable, Equatable {
    /// Part of Pinna.
    case builtIn
    /// A YAML file; `replacesBuiltIn` when Pinna has one of this name too, which it hides.
    case file(path: String, replacesBuiltIn: Bool)
  }

  /// Its name; for a file, the file's without the extension.
  public var name: String
  /// One line: what it is for.
  public var summary: String
  /// One line: the document its numbers are taken from.
  public var reference: String?
  /// Source of the preset.
  public var source: Source
  /// Settings that it makes; everything else stays as it is.
  package var settings: [Setting: PresetValue]

  /// A preset of these settings.
  package init(
    name: String, summary: String, reference: String? = nil, source: Source,
    settings: [Setting: PresetValue]
  ) {
    self.name = name
    self.summary = summary
    self.reference = reference
    self.source = source
    self.settings = settings
  }

  /// The setting as its command-line flag takes it; `nil` when the preset leaves it alone.
  package func text(_ setting: Setting) -> String? { settings[setting]?.text }

  /// The setting as a yes or no; `nil` when the preset leaves it alone.
  package func flag(_ setting: Setting) -> Bool? {
    guard case .flag(let isOn) = settings[setting] else { return nil }
    return isOn
  }

  /// The texts of the setting; none when the preset leaves it alone.
  package func texts(_ setting: Setting) -> [String] {
    guard case .list(let texts) = settings[setting] else { return [] }
    return texts
  }

  /// The setting as a number in its unit; `nil` when the preset leaves it alone, or for `off`.
  package func number(_ setting: Setting) -> Double? {
    guard case .number(let value) = settings[setting] else { return nil }
    return value
  }

  /// The source for people: `built-in`, or the path and whether a built-in preset is hidden by it.
  public var origin: String {
    switch source {
    case .builtIn: return "built-in"
    case .file(let path, let replaces):
      return path + (replaces ? " (instead of the built-in)" : "")
    }
  }

  /// YAML that gives the same preset when it is saved as a user's.
  public func yaml() -> String { PresetDocument.yaml(self) }
}

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

/// A preset as JSON (`pinna.preset/1`).
package struct PresetReport: Sendable, Codable {
  /// The source of a preset.
  package struct Source: Sendable, Codable {
    /// `built-in` or `file`.
    package var kind: String
    /// The file.
    package var path: String?
    /// Whether the file hides a built-in preset of the same name.
    package var replacesBuiltIn: Bool?
  }

  /// The schema's name and version.
  package static let schemaName = "pinna.preset/1"

  /// Always `pinna.preset/1`.
  package var schema = PresetReport.schemaName
  package var name: String
  package var summary: String
  /// Source of its numbers.
  package var reference: String?
  /// Source of the preset.
  package var source: Source
  /// Settings that it makes, by the names of the long flags.
  package var settings: [String: PresetValue]

  /// The report of `preset`.
  package init(_ preset: Preset) {
    name = preset.name
    summary = preset.summary
    reference = preset.reference
    switch preset.source {
    case .builtIn: source = Source(kind: "built-in")
    case .file(let path, let replaces):
      source = Source(kind: "file", path: path, replacesBuiltIn: replaces)
    }
    settings = Dictionary(
      uniqueKeysWithValues: preset.settings.map { ($0.key.row.key, $0.value) })
  }
}
