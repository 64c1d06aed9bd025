// SPDX-License-Identifier: Apache-2.0
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
        return WorkReply.Outcome(report: report, cached: false, isStored: false, reason: nil)
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

/// The work that a worker is asked to do: one item, or the items of an album.
package struct WorkRequest: Sendable, Codable, Equatable {
  package var items: [BatchItem]
  /// Whether they get one gain and appear together.
  package var isAlbum: Bool
  /// Whether files that no earlier run of the batch wrote may be replaced.
  package var overwrite: Bool
  /// Bytes of rendered audio held in memory.
  package var spoolMemory: Int
  /// Number of the attempt, from 1.
  package var attempt: Int

  package init(
    items: [BatchItem], isAlbum: Bool, overwrite: Bool, spoolMemory: Int, attempt: Int
  ) {
    self.items = items
    self.isAlbum = isAlbum
    self.overwrite = overwrite
    self.spoolMemory = spoolMemory
    self.attempt = attempt
  }
}

/// A message of a worker: its progress, or the outcomes of a request.
package struct WorkReply: Sendable, Codable, Equatable {
  /// One item's outcome.
  package struct Outcome: Sendable, Codable, Equatable {
    /// Its entry in the batch's report.
    package var entry: BatchReport.Entry
    /// Its result where it isn't stored; `nil` where the batch finds it in its place.
    package var report: ItemReport?
    /// Why an existing result wasn't used; `nil` when there was none.
    package var reason: String?

    /// The outcome of an item with this result; `cached` says that the result is from an earlier run, `isStored` that it lies
    /// in its place.
    package init(report: ItemReport, cached: Bool, isStored: Bool, reason: String?) {
      entry = BatchReport.Entry(report, cached: cached, result: ResultStore.place(report.id))
      self.report = isStored ? nil : report
      self.reason = reason
    }
  }

  /// How far it is.
  package var progress: WorkProgress?
  /// The outcomes of all items of the request.
  package var outcomes: [Outcome]?

  /// A sign of progress.
  package init(progress: WorkProgress) { self.progress = progress }

  /// The end of a request.
  package init(outcomes: [Outcome]) { self.outcomes = outcomes }
}

/// Time and memory that a request takes.
struct WorkClock {
  private let cpuStart = SystemClock.processor
  private let wallStart = WorkClock.wall

  /// The cost so far.
  func performance(attempt: Int, renderSeconds: Double) -> ItemReport.Performance {
    return ItemReport.Performance(
      attempts: attempt,
      cpuSeconds: WorkClock.rounded(SystemClock.processor - cpuStart),
      wallSeconds: WorkClock.rounded(WorkClock.wall - wallStart),
      renderSeconds: WorkClock.rounded(renderSeconds),
      peakRSSMiB: WorkClock.rounded(Double(ProcessMemory.ownPeak) / 1_048_576))
  }

  /// Seconds on a clock that never goes back.
  static var wall: Double { SystemClock.steady }

  private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

/// Cuts what comes from a descriptor into lines.
struct LineReader {
  /// Largest line in bytes; a longer one is dropped, because its writer can't be trusted.
  private static let longest = 256 << 20

  private var kept: [UInt8] = []

  /// Adds `bytes`.
  /// - Returns: the lines that are complete now, without their ends.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(kept + rest[..<end])
      kept = []
      rest = rest[(end + 1)...]
    }
    kept += rest
    if kept.count > LineReader.longest { kept = [] }
    return lines
  }
}

/// Whole writes and reads of descriptors.
enum DescriptorText {
  /// Writes all of `text`.
  /// - Returns: whether the reader is still there.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Descriptor.writeAll(Array(text.utf8), to: descriptor) == 0
  }

  /// The bytes that can be read now.
  /// - Returns: `nil` at the end, empty when nothing is there yet.
  static func read(_ descriptor: Int32) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let got = Descriptor.readSome(descriptor, into: &chunk)
    if got > 0 { return Array(chunk[..<got]) }
    return got < 0 && errno == EAGAIN ? [] : nil
  }
}
