// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import Report
import Settings

/// `pinna presets`.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List and show presets: named settings for render.",
    subcommands: [List.self, Show.self], defaultSubcommand: List.self)

  /// `pinna presets list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all presets and where they come from.")

    func run() throws {
      let library = PresetsCommand.library
      var rows = [["name", "what", "from"]]
      var faults: [MediaError] = []
      for name in library.names {
        do {
          let preset = try library.preset(name)
          rows.append([name, preset.summary, preset.origin])
        } catch let fault as MediaError {
          faults.append(fault)
        }
      }
      Terminal.output(PlainText.table(rows))
      // A fault in one preset doesn't keep the others from being listed.
      for fault in faults { Terminal.complain(fault.message) }
      if let fault = faults.first { throw ExitStatus(code: fault.exitCode) }
    }
  }

  /// `pinna presets show`.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print a preset as YAML that can be saved as a user's own.",
      discussion:
        "User presets are $XDG_CONFIG_HOME/pinna/presets/NAME.yaml (~/.config by default).")

    @Argument(help: "Name, or path of a YAML file.") var name: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let preset = try PresetsCommand.library.preset(name)
      Terminal.output(
        data: json ? try ReportJSON.pretty(PresetReport(preset)) : preset.yaml())
    }
  }

  /// The presets this process sees.
  static var library: PresetLibrary {
    PresetLibrary(environment: ProcessInfo.processInfo.environment)
  }
}
