/// A preset as JSON (`pinna.preset/1`).
public struct PresetReport: Sendable, Codable {
  /// Where the preset comes from.
  public struct Source: Sendable, Codable {
    /// `built-in` or `file`.
    public var kind: String
    /// The file.
    public var path: String?
    /// Whether the file hides a built-in preset of the same name.
    public var replacesBuiltIn: Bool?
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.preset/1"

  /// Always `pinna.preset/1`.
  public var schema = PresetReport.schemaName
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
