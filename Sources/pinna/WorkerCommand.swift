import ArgumentParser
import AudioCore
import Batch
import Glibc
import RenderPipeline
import Synchronization

/// `pinna worker`: renders what a batch asks for; not for people.
struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Work for pinna batch.", shouldDisplay: false)

  @Option var parent: Int32
  @Option var folder: String
  @Option var largestFile: Int?
  @Option var memory: Int?
  @Flag var deterministic = false

  /// Largest file this process may write, bytes.
  static let largestFile = Mutex<Int?>(nil)

  mutating func run() async throws {
    let limit = largestFile
    try WorkerSession<RenderEngine>.enter(
      WorkerSetup(
        parent: parent, folder: folder, largestFile: limit, memory: memory,
        isDeterministic: deterministic))
    WorkerCommand.largestFile.withLock { $0 = limit }
    if deterministic { PortablePaths.force() }
    let session = WorkerSession(engine: RenderEngine())
    let watch = InterruptWatch { session.stop() }
    await session.run()
    withExtendedLifetime(watch) {}
  }
}
