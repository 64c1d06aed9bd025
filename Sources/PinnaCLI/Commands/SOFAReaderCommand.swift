import ArgumentParser
import Rendering
import Spatial

/// `pinna sofa-reader`: parses one SOFA file for another process of Pinna. Hidden from the help.
struct SOFAReaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sofa-reader", abstract: "Read a SOFA file for pinna.", shouldDisplay: false)

  @Argument var path: String
  @Argument var sha256: String
  @Argument var views = ""

  /// How this program reads SOFA files.
  static let reading = SOFAReaderProcess(
    arguments: [configuration.commandName ?? "", "--"]
  ).reading

  func run() throws {
    throw ExitStatus(code: SOFAReaderProcess.serve(path: path, sha256: sha256, views: views))
  }
}
