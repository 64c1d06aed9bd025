// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Settings

/// Reads a manifest and gathers everything that is wrong with it.
struct ManifestReader {
  /// Bytes a manifest may have.
  static let largest = 32 << 20
  /// Manifests that may extend each other.
  private static let deepest = 8

  private static let rootKeys = ["schema", "extends", "defaults", "jobs"]
  private static let jobKeys = ["id", "input", "outputs", "name", "album", "expect"]
  private static let outputKeys = ["name"]

  private let path: String
  private let folder: String
  private(set) var faults: [MediaError] = []

  /// The manifest at `path` and everything that is wrong with it; faulty jobs are left out.
  static func read(path: String) -> (manifest: Manifest, faults: [MediaError]) {
    var reader = ManifestReader(path: path)
    let manifest = reader.manifest(ancestors: [])
    return (manifest, reader.faults)
  }

  private init(path: String) {
    self.path = path
    folder = PathParts.absolute(PathParts.folder(of: path))
  }

  private mutating func manifest(ancestors: [String]) -> Manifest {
    var manifest = Manifest(folder: folder)
    do {
      let tree = try SettingsTree(path: path, largest: ManifestReader.largest, what: "a manifest")
      guard case .mapping(let entries, _) = tree else {
        throw error(tree.line, "isn't a mapping; begin with schema: \(Manifest.schema)")
      }
      checkSchema(entries, isBase: !ancestors.isEmpty)
      for entry in entries { take(entry, into: &manifest, ancestors) }
      if ancestors.isEmpty, manifest.jobs.isEmpty, faults.isEmpty {
        fault(nil, "has no jobs; list them under jobs:")
      }
    } catch { note(error) }
    return manifest
  }

  private mutating func checkSchema(_ entries: [SettingsTree.Entry], isBase: Bool) {
    guard let entry = entries.first(where: { $0.key == "schema" }) else {
      return fault(nil, "has no schema; write schema: \(Manifest.schema)")
    }
    guard case .text(Manifest.schema, _) = entry.value else {
      return fault(entry.line, "schema: this version reads \(Manifest.schema)")
    }
  }

  private mutating func take(
    _ entry: SettingsTree.Entry, into manifest: inout Manifest, _ ancestors: [String]
  ) {
    switch entry.key {
    case "schema": return
    case "extends": extend(entry, &manifest, ancestors)
    case "defaults":
      guard let entries = mapping(entry) else { return }
      for option in entries {
        if option.key == "name" {
          manifest.name = template(option)
        } else {
          set(option, in: &manifest.defaults, besides: ["name"])
        }
      }
    case "jobs":
      guard case .list(let jobs, _) = entry.value else {
        return fault(entry.line, "jobs: isn't a list; begin each job with a dash")
      }
      guard ancestors.isEmpty else {
        return fault(
          entry.line, "jobs: a manifest that is extended gives defaults only; take them out")
      }
      for job in jobs { if let job = self.job(job) { manifest.jobs.append(job) } }
    default: unknown(entry, ManifestReader.rootKeys, "of a manifest")
    }
  }

  private mutating func extend(
    _ entry: SettingsTree.Entry, _ manifest: inout Manifest, _ ancestors: [String]
  ) {
    guard let text = text(entry) else { return }
    let place = PathParts.joined(folder, text)
    let isFile =
      PathParts.hasFolder(text) || ["yaml", "yml", "json"].contains(LocalPath.ending(of: text))
    guard isFile, isManifest(place) else {
      var options = OptionValues()
      options[.preset] = [isFile ? place : text]
      manifest.defaults = options.overridden(by: manifest.defaults)
      return
    }
    let known = ancestors + [path]
    guard known.count < ManifestReader.deepest, !known.contains(place) else {
      return fault(entry.line, "extends: \(text) extends this manifest or too many others")
    }
    var reader = ManifestReader(path: place)
    let base = reader.manifest(ancestors: known)
    faults += reader.faults
    manifest.defaults = base.defaults.overridden(by: manifest.defaults)
    manifest.name = manifest.name ?? base.name
  }

  /// Whether the file is a manifest rather than a preset. One that can't be read counts as a
  /// preset, whose reader then reports the fault.
  private func isManifest(_ place: String) -> Bool {
    let tree = try? SettingsTree(path: place, largest: ManifestReader.largest, what: "a manifest")
    guard case .mapping(let entries, _)? = tree else { return false }
    return entries.contains { $0.key == "schema" }
  }

  private mutating func job(_ tree: SettingsTree) -> Manifest.Job? {
    guard case .mapping(let entries, let line) = tree else {
      fault(tree.line, "a job isn't a mapping; write input: and its options")
      return nil
    }
    let known = faults.count
    var job = Manifest.Job()
    job.line = line
    for entry in entries {
      switch entry.key {
      case "id": job.id = id(entry)
      case "input": job.input = text(entry) ?? "-"
      case "name": job.name = template(entry)
      case "album": job.album = text(entry)
      case "expect": job.golden = text(entry).map { PathParts.joined(folder, $0) }
      case "outputs": job.outputs = outputs(entry)
      default: set(entry, in: &job.options, besides: ManifestReader.jobKeys)
      }
    }
    if job.input.isEmpty { fault(line, "a job has no input; write input: FILE") }
    return faults.count == known ? job : nil
  }

  /// Reads an id, which must not look like a path out of the folder.
  private mutating func id(_ entry: SettingsTree.Entry) -> String? {
    guard let text = text(entry) else { return nil }
    guard !PathParts.isAbsolute(text), !PathParts.of(text).contains("..") else {
      fault(
        entry.line,
        "id: \(SettingsTree.quoted(text)) reads as a path out of the folder; give a name")
      return nil
    }
    return text
  }

  private mutating func outputs(_ entry: SettingsTree.Entry) -> [Manifest.Output] {
    guard case .list(let list, _) = entry.value, !list.isEmpty else {
      fault(entry.line, "outputs: isn't a list of outputs; begin each with a dash")
      return []
    }
    return list.compactMap { tree in
      guard case .mapping(let entries, _) = tree else {
        fault(tree.line, "an output isn't a mapping; write endpoint:, format: or name:")
        return nil
      }
      var output = Manifest.Output()
      for entry in entries {
        if entry.key == "name" {
          output.name = template(entry)
        } else {
          set(entry, in: &output.options, besides: ManifestReader.outputKeys)
        }
      }
      return output
    }
  }

  private mutating func set(
    _ entry: SettingsTree.Entry, in options: inout OptionValues, besides own: [String]
  ) {
    guard let option = Setting(ofManifests: entry.key) else {
      return unknown(entry, own + Setting.ofManifests.map(\.row.key), "here")
    }
    let takes = option.row.value
    var values: [String] = []
    switch entry.value {
    case .text(let text, _):
      let isTruth = ["true", "false"].contains(text)
      let isAllowed =
        switch takes {
        case .flag, .toggle: isTruth
        case .classes: isTruth || DegradationClass.list(text) != nil
        default: true
        }
      guard isAllowed else {
        return fault(
          entry.line,
          "\(entry.key): \(SettingsTree.quoted(text)) isn't allowed; give \(takes.allowed())")
      }
      values = [text]
    case .list(let list, _) where takes.isRepeated:
      for case .text(let text, _) in list { values.append(text) }
      guard values.count == list.count else {
        return fault(entry.line, "\(entry.key): takes a list of texts")
      }
    default:
      return fault(entry.line, "\(entry.key): takes one value, not a list, a mapping or nothing")
    }
    guard !values.contains(where: { $0.contains("\0") }) else {
      return fault(entry.line, "\(entry.key): has a zero byte in it")
    }
    options[option] = values.map { option.resolved($0, in: folder) }
  }

  private mutating func template(_ entry: SettingsTree.Entry) -> NameTemplate? {
    guard let text = text(entry) else { return nil }
    do { return try NameTemplate(text) } catch {
      fault(entry.line, "\((error as? MediaError)?.message ?? "\(error)")")
      return nil
    }
  }

  private mutating func mapping(_ entry: SettingsTree.Entry) -> [SettingsTree.Entry]? {
    if case .nothing = entry.value { return [] }
    guard case .mapping(let entries, _) = entry.value else {
      fault(entry.line, "\(entry.key): isn't a mapping; write one option a line, as loudness: -16")
      return nil
    }
    return entries
  }

  private mutating func text(_ entry: SettingsTree.Entry) -> String? {
    guard case .text(let text, _) = entry.value, !text.isEmpty, text.count <= 4096,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      fault(entry.line, "\(entry.key): takes one line of text")
      return nil
    }
    return text
  }

  private mutating func unknown(
    _ entry: SettingsTree.Entry, _ allowed: [String], _ place: String
  ) {
    let near = Suggestion.text(for: entry.key, among: allowed)
    fault(
      entry.line,
      "unknown key \(SettingsTree.quoted(entry.key)) \(place)\(near); "
        + "the keys are " + allowed.sorted().joined(separator: ", "))
  }

  private mutating func fault(_ line: Int?, _ problem: String) {
    faults.append(error(line, problem))
  }

  private mutating func note(_ error: any Error) {
    faults.append(error as? MediaError ?? MediaError(.internal, about: path, "\(error)"))
  }

  private func error(_ line: Int?, _ problem: String) -> MediaError {
    SettingsTree.error(path, line, problem)
  }
}
