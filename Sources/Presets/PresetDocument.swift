import AudioCore
import Yams

/// The YAML of a user's preset: one flat mapping of settings, `summary`, `reference`, `extends`.
struct PresetDocument {
  /// A word of the file and its line.
  struct Name {
    let text: String
    let line: Int?
  }

  private static let ownKeys = ["summary", "reference", "extends"]
  /// Characters of `summary` and `reference`.
  private static let longest = 500

  private(set) var summary: String?
  private(set) var reference: String?
  private(set) var extends: Name?
  private(set) var settings: [PresetKey: PresetValue] = [:]
  private let text: YAMLText

  /// Reads the YAML of the file at `path`.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line, key and the allowed values.
  init(yaml: String, path: String) throws {
    text = YAMLText(path: path)
    guard let root = try text.compose(yaml) else { throw error(nil, "is empty; give settings") }
    guard case .mapping(let mapping) = root else {
      throw error(root.mark?.line, "isn't a mapping; write one setting a line, as name: value")
    }
    for (key, value) in mapping { try take(key, value) }
  }

  private mutating func take(_ key: Node, _ value: Node) throws {
    guard case .scalar(let name) = key else {
      throw error(key.mark?.line, "has a key that isn't a word; give \(PresetDocument.known)")
    }
    let line = name.mark?.line
    let own = PresetDocument.ownKeys.contains(name.string)
    guard own || PresetKey(rawValue: name.string) != nil else {
      throw error(
        line, "unknown key \(YAMLText.quoted(name.string)); give \(PresetDocument.known)")
    }
    guard case .scalar(let scalar) = value else {
      throw error(line, "\(name.string): takes one value, not a list or mapping")
    }
    let isPlain = scalar.style == .plain || scalar.style == .any
    guard let key = PresetKey(rawValue: name.string) else {
      let text = try printable(scalar.string, isPlain, name.string, line)
      switch name.string {
      case "summary": summary = text
      case "reference": reference = text
      default: extends = Name(text: text, line: line)
      }
      return
    }
    guard let value = key.rule.value(of: scalar.string, isPlain: isPlain) else {
      throw error(
        line,
        "\(name.string): \(YAMLText.quoted(scalar.string)) isn't allowed; "
          + "give \(key.rule.allowed)")
    }
    settings[key] = value
  }

  /// One line of text that can be printed.
  private func printable(_ text: String, _ isPlain: Bool, _ key: String, _ line: Int?) throws
    -> String
  {
    let isClean = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    let isNothing = text.isEmpty || isPlain && ["~", "null"].contains(text)
    guard isClean, !isNothing, text.count <= PresetDocument.longest else {
      throw error(
        line, "\(key): give one line of text, at most \(PresetDocument.longest) characters")
    }
    return text
  }

  /// The error of this file: what is wrong on `line`.
  func error(_ line: Int?, _ problem: String) -> MediaError {
    text.error(line, problem)
  }

  private static var known: String {
    (PresetKey.allCases.map(\.rawValue) + ownKeys).joined(separator: ", ")
  }

  /// See ``Preset/yaml()``.
  static func yaml(_ preset: Preset) throws -> String {
    var pairs: [(Node, Node)] = []
    for (key, text) in [("summary", preset.summary), ("reference", preset.reference ?? "")]
    where !text.isEmpty {
      pairs.append((Node(key), Node(text, Tag(.str), .doubleQuoted)))
    }
    for key in PresetKey.allCases {
      guard let value = preset.settings[key] else { continue }
      pairs.append((Node(key.rawValue), Node(value.text, Tag(.implicit), .plain)))
    }
    do {
      let body = try Yams.serialize(node: Node(pairs), width: -1, allowUnicode: true)
      return "# \(preset.name), \(preset.origin)\n" + body
    } catch {
      throw MediaError(.internal, "preset \(preset.name): can't be written as YAML (\(error))")
    }
  }
}
