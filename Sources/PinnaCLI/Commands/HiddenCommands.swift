// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import Rendering
import Spatial

/// `pinna worker`: renders the items of a batch for `pinna batch`. Hidden from the help.
struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Work for pinna batch.", shouldDisplay: false)

  @Option var parent: Int32
  @Option var folder: String
  @Option var memory: Int?
  @Flag var deterministic = false
  @Flag var sandboxed = false

  mutating func run() async throws {
    try WorkerSession<RenderEngine>.enter(
      WorkerSetup(
        parent: parent, folder: folder, memory: memory, isDeterministic: deterministic,
        isSandboxed: sandboxed))
    let session = WorkerSession(engine: RenderEngine())
    let watch = InterruptWatch { session.stop() }
    await session.run()
    withExtendedLifetime(watch) {}
  }
}

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
