import ArgumentParser
import Rendering

/// `pinna confined`: gives up rights and becomes another program, for a tap. Hidden from the help.
struct ConfinedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confined", abstract: "Start a program for pinna.", shouldDisplay: false)

  @Option var seconds: UInt64
  @Option var scratch: String
  @Argument(parsing: .postTerminator) var words: [String]

  /// How this program starts others.
  static let launcher = ProgramLauncher(confining: [configuration.commandName ?? ""])

  func run() throws {
    throw ExitStatus(
      code: ProgramLauncher.serve(words, seconds: seconds, scratch: scratch))
  }
}
