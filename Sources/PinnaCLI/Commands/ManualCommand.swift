import ArgumentParser
import AudioCore

/// `pinna manual`: the man page in roff, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the man page.", shouldDisplay: false)

  func run() throws {
    Terminal.output(data: try ManualPage.text(dump: Pinna._dumpHelp()))
  }
}
