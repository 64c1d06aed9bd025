// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials

/// A command with its arguments and the commands below it, as argument-parser describes them.
struct CommandTree: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      /// The name with its dashes.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: String
    let shouldDisplay: Bool
    let valueName: String?
    let names: [Name]?
    let abstract: String?
    let defaultValue: String?
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool?
  let defaultSubcommand: String?
  let subcommands: [CommandTree]?
  let arguments: [Argument]?

  /// The program with all its commands.
  static func root() throws -> CommandTree {
    struct Dump: Decodable { let command: CommandTree }
    return try JSONDecoder().decode(Dump.self, from: Data(Pinna._dumpHelp().utf8)).command
  }

  /// The commands below it that people are shown.
  var shown: [CommandTree] {
    (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }

  /// Its options with their dashes.
  var options: [String] {
    (arguments ?? []).filter(\.shouldDisplay).flatMap { ($0.names ?? []).map(\.text) }
  }

  /// The sentence for a `word` that names no command below this one, whose full name is `name`.
  func lacks(_ word: String, called name: String) -> String {
    let near = Suggestion.nearest(to: word, among: shown.map(\.commandName))
    return "\(word): \(name) has no such command; "
      + (near.map { "did you mean \($0)?" } ?? "\(name) --help lists them")
  }

  /// The command below it of this name.
  func command(_ name: String) -> CommandTree? {
    subcommands?.first { $0.commandName == name }
  }
}
