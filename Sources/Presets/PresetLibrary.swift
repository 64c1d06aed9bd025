import AudioCore
import Essentials

/// Finds presets: the built-in ones, the user's, and files given by their path.
public struct PresetLibrary: Sendable {
  /// The folder of the user's presets; `nil` when there is none.
  public let folder: String?

  /// A library whose user presets lie in `folder`.
  public init(folder: String?) { self.folder = folder }

  /// The library of a process with this environment: `$XDG_CONFIG_HOME/pinna/presets`, else
  /// `~/.config/pinna/presets`. A relative XDG_CONFIG_HOME counts as unset (XDG Base Directory).
  public init(environment: [String: String]) {
    let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.config" : nil }
    folder = (named ?? home).map { $0 + "/pinna/presets" }
  }

  /// The preset `argument` means: a file when it contains a slash or ends in .yaml or .yml, else
  /// a name; a user's preset wins over the built-in one of the same name.
  /// - Throws: ``MediaError`` of kind `usage` for unknown names and faulty files.
  public func preset(_ argument: String) throws -> Preset {
    if argument.contains("/") || argument.hasSuffix(".yaml") || argument.hasSuffix(".yml") {
      return try load(argument, name: PresetLibrary.stem(argument))
    }
    if let path = userFile(argument) { return try load(path, name: argument) }
    if let preset = BuiltInPresets.named(argument) { return preset }
    throw MediaError(
      .usage,
      "preset \(PresetLibrary.shown(argument)): unknown; give one of "
        + names.joined(separator: ", ") + ", or the path of a YAML file")
  }

  /// Names of all presets: the built-in ones first, then the user's in alphabetical order.
  public var names: [String] {
    let builtIn = BuiltInPresets.all.map(\.name)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder ?? "")) ?? []
    let own = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    return builtIn + own.filter { PresetLibrary.isName($0) && !builtIn.contains($0) }.sorted()
  }

  private func userFile(_ name: String) -> String? {
    guard let folder, PresetLibrary.isName(name) else { return nil }
    let path = folder + "/" + name + ".yaml"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  private func load(_ path: String, name: String) throws -> Preset {
    let document = try PresetDocument(yaml: try SettingsFile.preset(path), path: path)
    let base = try document.extends.map { try self.base($0, of: document, name, path) }
    let isUsers = userFile(name) == path
    return Preset(
      name: name, summary: document.summary ?? base.map { "like \($0.name)" } ?? "",
      reference: document.reference,
      source: .file(
        path: path, replacesBuiltIn: isUsers && BuiltInPresets.named(name) != nil),
      settings: (base?.settings ?? [:]).merging(document.settings) { _, own in own })
  }

  /// The preset that is extended; for a preset of a built-in one's name that is the built-in.
  private func base(
    _ wanted: PresetDocument.Name, of document: PresetDocument, _ name: String, _ path: String
  ) throws -> Preset {
    if let file = userFile(wanted.text), file != path {
      let inner = try PresetDocument(yaml: try SettingsFile.preset(file), path: file)
      guard inner.extends == nil else {
        throw document.error(
          wanted.line, "extends: \(wanted.text) extends another preset itself; only one step works")
      }
      return try load(file, name: wanted.text)
    }
    if let preset = BuiltInPresets.named(wanted.text) { return preset }
    throw document.error(
      wanted.line,
      "extends: \(PresetLibrary.shown(wanted.text)) is unknown; give one of "
        + names.filter { $0 != name }.joined(separator: ", "))
  }

  /// Names that are safe in a file name and on a terminal.
  private static func isName(_ text: String) -> Bool {
    text.first != "." && !text.isEmpty && text.count <= 100
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
  }

  private static func stem(_ path: String) -> String {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    let cut = [".yaml", ".yml"].first { last.hasSuffix($0) && last != $0 }
    return shown(String(last.dropLast(cut?.count ?? 0)))
  }

  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.map {
      $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
