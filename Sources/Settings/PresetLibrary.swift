// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform

/// Finds presets: the built-in ones, the user's, and files given by their path.
public struct PresetLibrary: Sendable {
  /// The folder of the user's presets; `nil` when there is none.
  public let folder: String?

  /// A library whose user presets lie in `folder`.
  public init(folder: String?) { self.folder = folder }

  /// The library of a process with this environment: `$XDG_CONFIG_HOME/pinna/presets`, else
  /// `~/.config/pinna/presets`. A relative XDG_CONFIG_HOME counts as unset (XDG Base Directory).
  public init(environment: [String: String]) {
    folder = UserFolders.of("XDG_CONFIG_HOME", usual: ".config", environment).first
      .map { $0 + "/pinna/presets" }
  }

  /// Whether `argument` names a file rather than a preset.
  package static func isFile(_ argument: String) -> Bool {
    PathParts.hasFolder(argument) || argument.hasSuffix(".yaml") || argument.hasSuffix(".yml")
  }

  /// The preset `argument` means: a file when it contains a slash or ends in .yaml or .yml, else
  /// a name; a user's preset wins over the built-in one of the same name.
  /// - Throws: ``MediaError`` of kind `usage` for unknown names and faulty files.
  public func preset(_ argument: String) throws -> Preset {
    if PresetLibrary.isFile(argument) {
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
    let last = PathParts.of(path).last ?? path
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

/// The presets that come with Pinna: levels for delivery, so that none of them virtualises.
public enum BuiltInPresets {
  /// All of them, in the order they are listed.
  public static let all: [Preset] = [
    preset(
      "apple-music", -16, -1, "Apple Music with Sound Check: −16 LUFS, −1 dBTP, at most stereo",
      "Apple: Sound Check plays at −16 LUFS; Apple Digital Masters asks for −1 dBTP",
      stereo),
    preset(
      "podcast", -16, -1,
      "Podcasts: MP3 where the name says nothing else, −1 dBTP, stereo −16 LUFS, mono −19 LUFS (dual-mono: two loudspeakers add 3 dB), at most stereo",
      "Apple Podcasts audio requirements: −16 dB LKFS ±1 dB, −1 dBFS true peak; MP3 at 44.1 or 48 kHz, mono 96 to 128 kbit/s, stereo 128 to 256",
      stereo.merging([.dualMono: .flag(true), .container: .word("mp3")]) { _, new in new }),
    preset(
      "spotify", -14, -1, "Spotify's normal level: −14 LUFS, −1 dBTP, at most stereo",
      "Spotify for Artists, loudness normalization: −14 LUFS, true peak below −1 dBTP",
      stereo),
    preset(
      "ebu-r128", -23, -1, "European broadcasting: −23 LUFS, −1 dBTP, all channels",
      "EBU R 128 (2023): programme loudness −23.0 LUFS, true peak at most −1 dBTP"),
    preset(
      "atsc-a85", -24, -2, "American television: −24 LKFS, −2 dBTP, all channels",
      "ATSC A/85:2013: −24 LKFS where metadata gives no other, true peak below −2 dBTP"),
    preset(
      "netflix", -27, -2,
      "Netflix: dialogue −27 LKFS (±2 LU are accepted), −2 dBTP, all channels; −24 LKFS where less than 15 % is dialogue",
      "Netflix Sound Mix Specifications: average loudness −27 LKFS ±2 LU dialogue-gated, peaks at most −2 dBTP; −24 LKFS ±2 LU where dialogue is under 15 %",
      [.anchor: .word("dialogue"), .programmeLoudness: .number(-24)]),
    preset(
      "youtube", -14, -1,
      "YouTube: −14 LUFS, −1 dBTP, all channels; it turns louder videos down, none up",
      "No published number; the content loudness of its “Stats for nerds” is relative to −14 LUFS"),
    preset(
      "dolby-atmos-music", -18, -1,
      "Dolby Atmos music: −18 LKFS, −1 dBTP; objects that are kept (-f bw64) are measured rendered to 5.1, channels as they are",
      "Dolby Atmos Music delivery: −18 LKFS integrated and −1 dBTP, measured on the 5.1 re-render (ITU-R BS.1770-4)",
      [.loudnessLayout: .word("5.1")]),
    preset(
      "aes-td1008-speech", -18, -1,
      "Speech streams and downloads: −18 LUFS, −1 dBTP, at most stereo",
      "AES TD1008 (2021), table 1: speech −18 LUFS, true peak at most −1 dBTP",
      stereo),
    preset(
      "aes-td1008-music", -16, -1,
      "Music by the track: −16 LUFS, −1 dBTP, at most stereo; with --album the loudest track is put at −14 LUFS",
      "AES TD1008 (2021), table 1: music, track normalisation −16 LUFS, loudest track of an album "
        + "−14 LUFS, true peak at most −1 dBTP",
      stereo.merging([.albumLoudness: .number(-14), .loudestTrack: .flag(true)]) { _, new in new }),
  ]

  /// For services that play two channels.
  private static let stereo: [Setting: PresetValue] = [.outputLayout: .word("stereo")]

  /// The one of this name.
  public static func named(_ name: String) -> Preset? { all.first { $0.name == name } }

  private static func preset(
    _ name: String, _ loudness: Double, _ truePeak: Double, _ summary: String, _ reference: String,
    _ more: [Setting: PresetValue] = [:]
  ) -> Preset {
    let common: [Setting: PresetValue] = [
      .loudness: .number(loudness), .truePeak: .number(truePeak), .endpoint: .word("none"),
    ]
    return Preset(
      name: name, summary: summary, reference: reference, source: .builtIn,
      settings: common.merging(more) { _, new in new })
  }
}
