import AudioCore
import Essentials
import Platform
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
  private let path: String

  /// Reads the YAML of the file at `path`.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line, key and the allowed values.
  init(yaml: String, path: String) throws {
    self.path = path
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
    let setting = PresetKey(rawValue: name.string)
    if let setting, case .list = setting.rule {
      settings[setting] = try list(value, setting, line)
      return
    }
    guard case .scalar(let scalar) = value else {
      throw error(line, "\(name.string): takes one value, not a list or mapping")
    }
    let isPlain = PresetDocument.isPlain(scalar)
    guard let key = setting else {
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

  private static func isPlain(_ scalar: Node.Scalar) -> Bool {
    scalar.style == .plain || scalar.style == .any
  }

  /// The texts that `value` holds for `key`, one or several; paths in them count from the file's folder.
  private func list(_ value: Node, _ key: PresetKey, _ line: Int?) throws -> PresetValue {
    let nodes: [Node] = if case .sequence(let list) = value { Array(list) } else { [value] }
    guard !nodes.isEmpty else { throw error(line, "\(key.rawValue): give \(key.rule.allowed)") }
    let texts = try nodes.map { node in
      guard case .scalar(let scalar) = node else {
        throw error(node.mark?.line ?? line, "\(key.rawValue): give \(key.rule.allowed)")
      }
      let text = try printable(
        scalar.string, PresetDocument.isPlain(scalar), key.rawValue, scalar.mark?.line ?? line)
      return key == .tap ? TapPaths.placed(text, placed) : placed(text)
    }
    return .list(texts)
  }

  /// `path`, which counts from the file's folder, as an absolute one.
  private func placed(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var folder = PathParts.split(self.path).folder[...]
    if folder.hasPrefix("./") { folder = folder.dropFirst(2) }
    let start = folder.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    return start + folder + path
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
      pairs.append((Node(key.rawValue), node(of: value)))
    }
    do {
      let body = try Yams.serialize(node: Node(pairs), width: -1, allowUnicode: true)
      return "# \(preset.name), \(preset.origin)\n" + body
    } catch {
      throw MediaError(.internal, "preset \(preset.name): can't be written as YAML (\(error))")
    }
  }

  private static func node(of value: PresetValue) -> Node {
    guard case .list(let texts) = value else {
      return Node(value.text, Tag(.implicit), .plain)
    }
    return Node(texts.map { Node($0, Tag(.str), .doubleQuoted) })
  }
}
