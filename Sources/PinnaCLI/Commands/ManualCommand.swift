import ArgumentParser
import AudioCore
import Essentials

/// `pinna manual`: the man page in roff, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the man page.", shouldDisplay: false)

  func run() throws {
    Terminal.output(data: try ManualPage.text(dump: Pinna._dumpHelp()))
  }
}

/// Turns argument-parser's description of the commands into a man page (mdoc).
enum ManualPage {
  private struct Dump: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let shouldDisplay: Bool
    let valueName: String?
    let names: [Name]?
    let abstract: String?
    let defaultValue: String?
  }

  static func text(dump: String) throws -> String {
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
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
  private static func commands(below parent: Command, named name: String) -> [(String, Command)] {
    let shown = (parent.subcommands ?? []).filter {
      $0.shouldDisplay != false && $0.commandName != "help"
    }
    return shown.flatMap { command -> [(String, Command)] in
      let full = name + " " + command.commandName
      let below = commands(below: command, named: full)
      return below.isEmpty ? [(full, command)] : below
    }
  }

  private static func heading(_ argument: Argument) -> String {
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
