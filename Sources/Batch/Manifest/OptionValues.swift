// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Settings

extension Setting {
  /// `value` with the path of a file in it made absolute; paths are relative to `folder`.
  func resolved(_ value: String, in folder: String) -> String {
    if self == .taps { return TapPaths.placed(value) { PathParts.joined(folder, $0) } }
    return isFile(value, in: folder) ? PathParts.joined(folder, value) : value
  }

  /// Whether `value` names a file, relative to the manifest's folder.
  private func isFile(_ value: String, in folder: String) -> Bool {
    let takes = row.value
    if takes == .files { return true }
    guard case .file(let words) = takes, !words.contains(value) else { return false }
    switch self {
    // Built-in presets and those in the user's folder have plain names.
    case .preset:
      return PresetLibrary.isFile(value)
    // A set may have the name that the list of sets shows; files of the folder go before it.
    case .hrtf:
      return PathParts.hasFolder(value)
        || FolderListing.kind(PathParts.joined(folder, value), followingLinks: true) != nil
    // The value may hold the positions themselves.
    case .speakerPositions:
      return SpeakerFile.isFile(value)
    default: return true
    }
  }

  /// The arguments that set it to `values`.
  func arguments(_ values: [String]) -> [String] {
    let flag = row.flag
    switch row.value {
    case .flag: return values == ["true"] ? [flag] : []
    case .toggle: return values == ["true"] ? [flag] : ["--no-\(row.key)"]
    case .classes:
      guard let value = values.last, value != "false" else { return [] }
      return [value == "true" ? flag : "\(flag)=\(value)"]
    default:
      // A value may begin with a dash, which only `--flag=value` allows; short flags don't have
      // that form.
      return values.flatMap { flag.hasPrefix("--") ? ["\(flag)=\($0)"] : [flag, $0] }
    }
  }
}

/// Values of options of `render`.
package struct OptionValues: Sendable, Equatable {
  private var values: [Setting: [String]] = [:]

  /// No options.
  package init() {}

  /// Whether nothing is set.
  package var isEmpty: Bool { values.isEmpty }

  /// Values of an option; `nil` where none is set.
  package subscript(_ option: Setting) -> [String]? {
    get { values[option] }
    set { values[option] = newValue }
  }

  /// These options, with those of `other` in their place where both have one.
  package func overridden(by other: OptionValues) -> OptionValues {
    var result = self
    result.values.merge(other.values) { $1 }
    return result
  }

  /// The equivalent arguments of `render`, in the order of ``Setting/ofManifests``.
  package var arguments: [String] {
    Setting.ofManifests.flatMap { option in
      values[option].map { option.arguments($0) } ?? []
    }
  }

  /// Paths made absolute: those of files are relative to `folder`.
  func resolved(in folder: String) -> OptionValues {
    var result = self
    for option in Setting.ofManifests {
      guard let texts = values[option] else { continue }
      result.values[option] = texts.map { option.resolved($0, in: folder) }
    }
    return result
  }
}
