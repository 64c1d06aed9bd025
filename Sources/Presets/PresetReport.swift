/// A preset as JSON (`pinna.preset/1`).
package struct PresetReport: Sendable, Codable {
  /// Where the preset comes from.
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
  /// Its name.
  package var name: String
  /// What it is for.
  package var summary: String
  /// Where its numbers are from.
  package var reference: String?
  /// Where it comes from.
  package var source: Source
  /// What it sets, by the names of the long flags.
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
      uniqueKeysWithValues: preset.settings.map { ($0.key.rawValue, $0.value) })
  }
}
