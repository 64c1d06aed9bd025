import ArgumentParser
import AudioCore
import Batch
import Rendering

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
