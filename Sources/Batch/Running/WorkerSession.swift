import AudioCore
import Essentials
import Platform
import Report
import Synchronization

/// A worker process's side of its conversation with the batch: requests come as JSON lines on
/// standard input, replies go as JSON lines to a descriptor of their own.
package final class WorkerSession<Engine: BatchEngine>: Sendable {
  /// Seconds between two signs of progress.
  private static var interval: Double { 0.2 }

  private let worker: ItemWorker<Engine>
  private let current = Mutex<Task<[WorkReply.Outcome], any Error>?>(nil)
  private let isStopped = Atomic(false)
  private let lastShown = Mutex(0.0)

  /// A session whose worker renders with `engine`.
  package init(engine: Engine) { worker = ItemWorker(engine: engine) }

  /// Puts limits on this process, gives up rights, and ties it to the batch. To give up rights it becomes this program anew.
  /// - Throws: ``MediaError`` when the batch is gone already or a limit can't be set.
  package static func enter(_ setup: WorkerSetup) throws {
    if setup.isSandboxed { try WorkerRights.enter() }
    let codes: [Int32] = [
      ProcessLimits.endWithParent(signal: SIGKILL),
      setup.memory.map { ProcessLimits.limitMemory(UInt64($0)) } ?? 0,
    ]
    if let code = codes.first(where: { $0 != 0 }) {
      throw MediaError(
        .internal, "worker: its limits can't be set (\(String(cString: strerror(code))))")
    }
    // A process that a worker starts mustn't keep them open when the worker is gone.
    for descriptor in [WorkerSetup.replies, WorkerSetup.lock] {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    guard getppid() == setup.parent else {
      throw MediaError(.interrupted, "worker: the batch that started it is gone")
    }
    guard chdir(setup.folder) == 0 else {
      throw MediaError(
        .outputUnwritable, about: setup.folder,
        "can't be entered (\(String(cString: strerror(errno)))); check the folder")
    }
  }

  /// Works until the batch has nothing more to do.
  package func run() async {
    var lines = LineReader()
    while !isStopped.load(ordering: .relaxed), let bytes = DescriptorText.read(STDIN_FILENO) {
      for line in lines.take(bytes[...]) {
        guard let request = try? JSONDecoder().decode(WorkRequest.self, from: Data(line)) else {
          return
        }
        await answer(request)
      }
    }
  }

  /// Stops what is being worked on; an idle worker ends at once.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    let task = current.withLock { $0 }
    guard let task else { _exit(128 + SIGTERM) }
    task.cancel()
  }

  private func answer(_ request: WorkRequest) async {
    let task = Task { try await worker.run(request) { self.show($0) } }
    current.withLock { $0 = task }
    if isStopped.load(ordering: .relaxed) { task.cancel() }
    let outcomes: [WorkReply.Outcome]
    do { outcomes = try await task.value } catch {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      outcomes = request.items.map { item in
        var report = ItemReport(id: item.id, input: item.input, job: item.job)
        report.fail(
          kind: failure.kind.rawValue, exit: failure.exitCode, message: failure.message)
        return WorkReply.Outcome(report: report, cached: false, reason: nil)
      }
    }
    current.withLock { $0 = nil }
    say(WorkReply(outcomes: outcomes))
  }

  private func show(_ progress: WorkProgress) {
    let isDue = lastShown.withLock { last in
      let now = WorkClock.wall
      guard now - last >= WorkerSession.interval else { return false }
      last = now
      return true
    }
    if isDue { say(WorkReply(progress: progress)) }
  }

  private func say(_ reply: WorkReply) {
    guard let line = try? ReportJSON.line(reply) else { return }
    // Without this reply the batch would wait for ever; it notices a worker's end.
    let isSaid = DescriptorText.write(line + "\n", to: WorkerSetup.replies)
    if !isSaid { _exit(WorkerSetup.mute) }
  }
}
