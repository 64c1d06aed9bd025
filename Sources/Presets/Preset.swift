/// Named settings for a render.
public struct Preset: Sendable, Equatable {
  /// Where a preset comes from.
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
  /// Where it comes from.
  public var source: Source
  /// What it sets; everything else stays as it is.
  package var settings: [PresetKey: PresetValue]

  /// A preset of these settings.
  package init(
    name: String, summary: String, reference: String? = nil, source: Source,
    settings: [PresetKey: PresetValue]
  ) {
    self.name = name
    self.summary = summary
    self.reference = reference
    self.source = source
    self.settings = settings
  }

  /// The setting as its command-line flag takes it; `nil` when the preset leaves it alone.
  package func text(_ key: PresetKey) -> String? { settings[key]?.text }

  /// The setting as a yes or no; `nil` when the preset leaves it alone.
  package func flag(_ key: PresetKey) -> Bool? {
    guard case .flag(let isOn) = settings[key] else { return nil }
    return isOn
  }

  /// The texts of the setting; none when the preset leaves it alone.
  package func texts(_ key: PresetKey) -> [String] {
    guard case .list(let texts) = settings[key] else { return [] }
    return texts
  }

  /// The setting as a number in its unit; `nil` when the preset leaves it alone, or for `off`.
  package func number(_ key: PresetKey) -> Double? {
    guard case .number(let value) = settings[key] else { return nil }
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
