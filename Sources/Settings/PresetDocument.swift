// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform
import YAML

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
  private(set) var settings: [Setting: PresetValue] = [:]
  private let text: YAMLText
  private let path: String

  /// Reads the YAML of the file at `path`.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line, key and the allowed values.
  init(yaml: String, path: String) throws {
    self.path = path
    text = YAMLText(path: path)
    guard let root = try text.compose(yaml) else { throw error(nil, "is empty; give settings") }
    guard case .mapping(let pairs, _) = root else {
      throw error(root.line, "isn't a mapping; write one setting a line, as name: value")
    }
    for pair in pairs { try take(pair.key, pair.value) }
  }

  private mutating func take(_ key: YAMLNode, _ value: YAMLNode) throws {
    guard case .scalar(let name) = key else {
      throw error(key.line, "has a key that isn't a word; give \(PresetDocument.known)")
    }
    let line = name.line
    let own = PresetDocument.ownKeys.contains(name.text)
    let setting = Setting(ofPresets: name.text)
    guard own || setting != nil else {
      throw error(
        line, "unknown key \(YAMLText.quoted(name.text)); give \(PresetDocument.known)")
    }
    if let setting, setting.row.value.isRepeated {
      settings[setting] = try list(value, setting, line)
      return
    }
    guard case .scalar(let scalar) = value else {
      throw error(line, "\(name.text): takes one value, not a list or mapping")
    }
    guard let setting else {
      let text = try printable(scalar.text, scalar.isPlain, name.text, line)
      switch name.text {
      case "summary": summary = text
      case "reference": reference = text
      default: extends = Name(text: text, line: line)
      }
      return
    }
    let takes = setting.row.value
    guard let value = takes.value(of: scalar.text, isPlain: scalar.isPlain) else {
      throw error(
        line,
        "\(name.text): \(YAMLText.quoted(scalar.text)) isn't allowed; "
          + "give \(takes.allowed())")
    }
    settings[setting] = value
  }

  /// The texts that `value` holds for `setting`, one or several; paths in them count from the file's folder.
  private func list(_ value: YAMLNode, _ setting: Setting, _ line: Int?) throws -> PresetValue {
    let row = setting.row
    let nodes: [YAMLNode] = if case .sequence(let list, _) = value { list } else { [value] }
    guard !nodes.isEmpty else { throw error(line, "\(row.key): give \(row.value.allowed())") }
    let texts = try nodes.map { node in
      guard case .scalar(let scalar) = node else {
        throw error(node.line, "\(row.key): give \(row.value.allowed())")
      }
      let text = try printable(scalar.text, scalar.isPlain, row.key, scalar.line)
      return setting == .taps ? TapPaths.placed(text, placed) : placed(text)
    }
    return .list(texts)
  }

  /// `path`, which counts from the file's folder, as an absolute one.
  private func placed(_ path: String) -> String {
    guard !PathParts.isAbsolute(path) else { return path }
    var folder = PathParts.split(self.path).folder
    if folder.utf8.starts(with: "./".utf8) {
      folder = String(decoding: folder.utf8.dropFirst(2), as: UTF8.self)
    }
    return PathParts.joined(PathParts.absolute("."), folder + path)
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
    (Setting.ofPresets.map(\.row.key) + ownKeys).joined(separator: ", ")
  }

  /// See ``Preset/yaml()``.
  static func yaml(_ preset: Preset) -> String {
    var lines = ["# \(preset.name), \(preset.origin)"]
    for (key, text) in [("summary", preset.summary), ("reference", preset.reference ?? "")]
    where !text.isEmpty {
      lines.append("\(key): \(quoted(text))")
    }
    for setting in Setting.ofPresets {
      guard let value = preset.settings[setting] else { continue }
      let key = setting.row.key
      if case .list(let texts) = value {
        lines.append("\(key):")
        lines += texts.map { "- \(quoted($0))" }
      } else {
        // The words and numbers of settings need no quotes.
        lines.append("\(key): \(value.text)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `text` in double quotes (YAML 1.1, 5.7), on one line.
  private static func quoted(_ text: String) -> String {
    JSONText.quoted(text) { scalar in
      let isLineBreak = scalar == "\u{2028}" || scalar == "\u{2029}" || scalar == "\u{FEFF}"
      let isControl = scalar.properties.generalCategory == .control
      return isControl || isLineBreak ? JSONText.escape(scalar) : nil
    }
  }
}

extension SettingValue {
  /// The value that `text` of a preset stands for; `nil` when it isn't allowed.
  ///
  /// A word may be quoted in the file. A number or a flag may not (`isPlain`), because quoted it
  /// would be text.
  fileprivate func value(of text: String, isPlain: Bool) -> PresetValue? {
    if words.contains(text) { return .word(text) }
    // The option itself says what is wrong with a text.
    if self == .text { return text.isEmpty ? nil : .word(text) }
    guard isPlain else { return nil }
    switch self {
    case .number:
      // Double also reads "nan", "inf" and hexadecimal.
      guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }),
        let value = Double(text), range.contains(value)
      else { return nil }
      return .number(value)
    case .whole(let range, _):
      guard let value = Int(text), range.contains(value) else { return nil }
      return .number(Double(value))
    case .toggle: return ["true", "false"].contains(text) ? .flag(text == "true") : nil
    // No row that a preset may set has another value, and a list isn't one text.
    default: return nil
    }
  }
}
