// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import MediaIn
import Report
import Settings

/// `pinna reference`: the facts for the pages under `docs/reference` that only the code knows, as
/// JSON for `.ci/reference`.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference", abstract: "Print what the reference pages are made of.",
    shouldDisplay: false)

  func run() throws { Terminal.output(try ReportJSON.pretty(ReferenceFacts())) }
}

/// All facts in the reference pages that neither a schema nor a help text contains.
struct ReferenceFacts: Encodable {
  struct Container: Encodable {
    let id: String
    let name: String
    let extensions: [String]
    let codecs: [String]
    let holds: [String]
    let isSeveralFiles: Bool
    let takesCopies: Bool
  }

  struct Encoding: Encodable {
    let id: String
    let isLossless: Bool
  }

  struct Key: Encodable {
    let key: String
    let allowed: String
  }

  struct Option: Encodable {
    let name: String
    let flag: String
    let form: String
  }

  let codes = Explanation.all
  let exits = ExitMeaning.all
  let containers = ContainerKind.allCases.compactMap(ReferenceFacts.container)
  let encodings = AudioEncoding.allCases.map {
    Encoding(id: $0.rawValue, isLossless: $0.isLossless)
  }
  let demuxers = ContainerTraits.demuxers
  let presetKeys = Setting.ofPresets.map(\.row).map {
    Key(key: $0.key, allowed: $0.value.allowed())
  }
  let presets = BuiltInPresets.all.map(PresetReport.init)
  let options = Setting.ofManifests.map(\.row).map {
    Option(name: $0.key, flag: $0.flag, form: ReferenceFacts.form($0.value))
  }
  let nameFields = NameTemplate.names
  let usualName = NameTemplate.usual.text
  let usualNameOfSeveral = NameTemplate.usualOfSeveral.text

  private static func container(_ kind: ContainerKind) -> Container? {
    let traits = kind.traits
    return traits.output.map { output in
      Container(
        id: kind.rawValue, name: traits.name, extensions: traits.extensions,
        codecs: output.codecs.map(\.rawValue),
        holds: ContainerExtra.allCases.filter(output.holds.contains).map(\.rawValue),
        isSeveralFiles: output.isSeveralFiles, takesCopies: output.takesCopies)
    }
  }

  private static func form(_ value: SettingValue) -> String {
    switch value {
    case .file: return "file"
    case .texts: return "values"
    case .files: return "files"
    case .flag: return "flag"
    case .toggle: return "toggle"
    case .classes: return "classes"
    default: return "value"
    }
  }
}
