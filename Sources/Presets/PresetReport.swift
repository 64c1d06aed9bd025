/// A preset as JSON (`pinna.preset/1`).
public struct PresetReport: Sendable, Encodable {
  /// Where the preset comes from.
  public struct Source: Sendable, Encodable {
    /// `built-in` or `file`.
    public var kind: String
    /// The file.
    public var path: String?
    /// Whether the file hides a built-in preset of the same name.
    public var replacesBuiltIn: Bool?
  }

  /// Always `pinna.preset/1`.
  public var schema = "pinna.preset/1"
  /// Its name.
  public var name: String
  /// What it is for.
  public var summary: String
  /// Where its numbers are from.
  public var reference: String?
  /// Where it comes from.
  public var source: Source
  /// What it sets, by the names of the long flags.
  public var settings: [String: PresetValue]

  /// The report of `preset`.
  public init(_ preset: Preset) {
    name = preset.name
    summary = preset.summary
    reference = preset.reference
    switch preset.source {
    case .builtIn: source = Source(kind: "built-in")
    case .file(let path, let replaces):
      source = Source(kind: "file", path: path, replacesBuiltIn: replaces)
    }
    settings = Dictionary(
      uniqueKeysWithValues: preset.settings.map { ($0.key.rawValue, $0.value) })
  }
}
