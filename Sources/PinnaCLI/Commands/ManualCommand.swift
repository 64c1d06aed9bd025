// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `pinna manual`: the man page in roff, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the man page.", shouldDisplay: false)

  func run() throws {
    Terminal.output(data: ManualPage.text(try CommandTree.root()))
  }
}

/// Turns argument-parser's description of the commands into a man page (mdoc).
enum ManualPage {
  static func text(_ root: CommandTree) -> String {
    var lines = [
      ".Dd $Mdocdate$", ".Dt PINNA 1", ".Os", ".Sh NAME", ".Nm pinna",
      ".Nd " + escaped(root.abstract ?? ""), ".Sh SYNOPSIS", ".Nm", ".Ar command",
      ".Op Ar options", ".Sh DESCRIPTION",
      // mdoc wants a macro between paragraphs, not an empty line.
      escaped(root.discussion ?? "").replacing("\n\n", with: "\n.Pp\n"), ".Sh COMMANDS",
    ]
    for (name, command) in commands(below: root, named: "pinna") {
      lines += [".Ss " + name, escaped(command.abstract ?? "")]
      lines.append(".Bl -tag -width indent")
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        lines += [".It " + heading(argument), escaped(argument.abstract ?? "")]
        if let value = argument.defaultValue, argument.kind == "option" {
          lines.append("Default: " + escaped(value) + ".")
        }
      }
      lines.append(".El")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The commands without subcommands, each with its full name.
  private static func commands(
    below parent: CommandTree, named name: String
  ) -> [(String, CommandTree)] {
    parent.shown.flatMap { command -> [(String, CommandTree)] in
      let full = name + " " + command.commandName
      let below = commands(below: command, named: full)
      return below.isEmpty ? [(full, command)] : below
    }
  }

  private static func heading(_ argument: CommandTree.Argument) -> String {
    let names = (argument.names ?? []).map { name in
      name.kind == "long" ? "Fl Fl " + name.name : "Fl " + name.name
    }
    let value = argument.valueName.map { "Ar " + escaped($0) } ?? ""
    if names.isEmpty { return value }
    return names.joined(separator: " , ") + (argument.kind == "option" ? " " + value : "")
  }

  /// Escapes a leading dot or quote, which would start a macro, and backslashes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.first == "." || $0.first == "'" ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}
