// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report
import Synchronization

/// Runs a batch: one loop on one thread that hands work to worker processes and waits for them.
///
/// A worker that crashes, hangs or takes too much is ended and replaced; only the work it was doing
/// fails.
package final class BatchRunner {
  /// Seconds between SIGTERM and SIGKILL.
  private static let patience = 2.0
  /// Seconds between two checks of the workers' memory.
  private static let interval = 0.1
  /// Seconds before the first further attempt; each one after waits twice as long, up to the second.
  private static let pauses = (first: 1.0, longest: 60.0)

  private let plan: BatchPlan
  private let items: [BatchItem]
  private let limits: BatchLimits
  private let options: Options
  private let observer: any BatchObserver
  private let stop: BatchStop
  private let lock: FolderLock
  private let store: ResultStore

  private let ledger: EntryLedger
  private var waiting: WorkQueue
  private var workers: [WorkerProcess?]
  private var isClosed = false
  private var rights: WorkerRights?
  /// When the workers' memory is looked at next.
  private var nextLook = 0.0

  /// How a batch behaves.
  package struct Options: Sendable {
    /// Whether files that aren't the batch's may be replaced.
    package var overwrite = false
    /// Whether nothing more is started after the first failure.
    package var failFast = false
    /// Rights of the workers; `nil` gives them all rights of this process.
    package var rights: SandboxPolicy?

    /// The usual behaviour.
    package init() {}
  }

  /// A run of `items` of `plan`; `lock` holds its output folder, and `ledger` takes the entries of the items.
  package init(
    plan: BatchPlan, items: [BatchItem], ledger: EntryLedger, limits: BatchLimits, options: Options,
    lock: FolderLock, observer: any BatchObserver, stop: BatchStop
  ) {
    self.plan = plan
    self.limits = limits
    self.options = options
    self.observer = observer
    self.stop = stop
    self.lock = lock
    store = ResultStore(root: plan.root)
    self.items = items
    self.ledger = ledger
    waiting = WorkQueue(items)
    workers = Array(repeating: nil, count: max(1, min(limits.workers, waiting.count)))
  }

  /// Does the work; blocks until it is done or stopped. The ledger has the entries of all items that came to an end.
  /// - Throws: ``MediaError`` when no worker can be started or results can't be stored at all.
  package func run() throws {
    try store.prepare()
    rights = try options.rights.map { try WorkerRights($0) }
    store.removeAbandoned(items)
    while true {
      if stop.isRequested { close() }
      try assign()
      guard isBusy || waiting.count > 0 else { break }
      wait()
      for place in workers.indices { try attend(place) }
      enforceLimits()
      observer.tick()
    }
    workers = workers.map { _ in nil }
    rights = nil
  }

  private var isBusy: Bool { workers.contains { $0?.work != nil } }

  /// Makes sure that no further work begins; when the batch has to stop, running work is stopped,
  /// too.
  private func close() {
    waiting.close()
    guard !isClosed || stop.isRequested else { return }
    isClosed = true
    guard stop.isRequested else { return }
    for worker in workers { abandon(worker, .stopped) }
  }

  private func abandon(_ worker: WorkerProcess?, _ verdict: RunningWork.Verdict) {
    guard let worker, worker.work != nil, worker.work?.grace == nil else { return }
    worker.work?.grace = WorkClock.wall + BatchRunner.patience
    worker.work?.verdict = verdict
    worker.terminate()
  }

  private func assign() throws {
    for place in workers.indices where workers[place]?.work == nil {
      let now = WorkClock.wall
      guard let next = waiting.next(at: now) else { return }
      guard let worker = try worker(at: place, for: next.unit) else { return }
      waiting.removeNext(at: now)
      worker.work = RunningWork(
        unit: next.unit, attempt: next.attempt, deadline: limits.jobSeconds.map { now + $0 })
      let share = max(1 << 20, limits.spoolMemory / workers.count)
      observer.began(next.unit.name, worker: place, attempt: next.attempt)
      let isSent = worker.send(
        WorkRequest(
          items: next.unit.items, isAlbum: next.unit.album != nil, overwrite: options.overwrite,
          spoolMemory: share, attempt: next.attempt))
      // One that hasn't got its work would wait for ever; `attend` notices that it has ended.
      if !isSent { worker.destroy() }
    }
  }

  /// A worker at `place` that can do `unit`; `nil` when none can be started now but others run.
  private func worker(at place: Int, for unit: WorkUnit) throws -> WorkerProcess? {
    if let worker = workers[place] {
      if worker.isDeterministic == unit.isDeterministic { return worker }
      _ = worker.end()
      workers[place] = nil
    }
    do {
      let worker = try WorkerProcess(
        setup: WorkerSetup(
          parent: getpid(), folder: plan.root, memory: limits.jobMemory,
          isDeterministic: unit.isDeterministic, isSandboxed: rights != nil),
        place: place, lock: lock.descriptor, rights: rights)
      workers[place] = worker
      return worker
    } catch {
      guard isBusy else { throw error }
      return nil
    }
  }

  /// Waits until a worker has written something, a limit is due or the batch has to stop.
  private func wait() {
    var places = [pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)]
    if stop.isRequested { places = [] }
    for worker in workers.compactMap({ $0 }) {
      places.append(pollfd(fd: worker.replies, events: Int16(POLLIN), revents: 0))
      places.append(pollfd(fd: worker.errors, events: Int16(POLLIN), revents: 0))
    }
    poll(&places, nfds_t(places.count), Int32(BatchRunner.interval * 1000))
  }

  /// Reads what the worker at `place` has written.
  private func attend(_ place: Int) throws {
    guard let worker = workers[place] else { return }
    worker.receiveErrors()
    guard let replies = worker.receive() else {
      return try bury(worker)
    }
    for reply in replies {
      if let progress = reply.progress, let work = worker.work {
        observer.progressed(work.unit.name, worker: place, progress)
      }
      if let outcomes = reply.outcomes, let work = worker.work {
        worker.work = nil
        observer.rested(worker: place)
        // A worker that was asked to stop ends after this reply, so it can't be used again.
        if work.grace != nil {
          worker.destroy()
          _ = worker.end()
          workers[place] = nil
        }
        try settle(work, outcomes, errorText: worker.errorText)
      }
    }
  }

  /// Removes a worker that has ended and reports why its work isn't done.
  private func bury(_ worker: WorkerProcess) throws {
    let work = worker.work
    let text = worker.errorText
    worker.destroy()
    let end = worker.end()
    workers[worker.place] = nil
    guard let work else { return }
    observer.rested(worker: worker.place)
    store.removeAbandoned(work.unit.items)
    guard work.verdict != .stopped else { return }
    let post = Autopsy(work: work, end: end, limits: limits)
    for (item, number) in zip(work.unit.items, work.unit.numbers) {
      let last = store.read(item.id)
      var report =
        last.flatMap { $0.status == .started ? $0 : nil }
        ?? ItemReport(id: item.id, input: item.input, job: item.job)
      report.fail(kind: post.kind, exit: post.exit, message: "\(item.input): \(post.sentence)")
      // Files that it finished before it could say so stay this batch's, and so do those that an earlier run wrote.
      let known = PathSet((last?.stale ?? []) + (last?.files.map(\.path) ?? []))
      report.stale = Autopsy.present(known.sorted(), in: plan.root)
      report.stderr = text
      report.performance = post.performance
      keep(report)
      try conclude(
        WorkReply.Outcome(report: report, cached: false, isStored: true, reason: nil), number)
    }
  }

  private func settle(
    _ work: RunningWork, _ outcomes: [WorkReply.Outcome], errorText: String?
  ) throws {
    let interrupted = MediaError.Kind.interrupted.rawValue
    if let verdict = work.verdict,
      outcomes.contains(where: { $0.entry.error?.kind == interrupted })
    {
      guard verdict != .stopped else { return }
      let post = Autopsy(work: work, end: nil, limits: limits)
      for (outcome, number) in zip(outcomes, work.unit.numbers) {
        guard var report = outcome.report ?? store.read(outcome.entry.id) else { continue }
        report.fail(kind: post.kind, exit: post.exit, message: "\(report.input): \(post.sentence)")
        report.reports = []
        report.stderr = errorText
        report.performance = post.performance
        keep(report)
        try conclude(
          WorkReply.Outcome(report: report, cached: false, isStored: true, reason: nil), number)
      }
      return
    }
    let transient = MediaError(.busy, "").exitCode
    if let first = outcomes.first(where: { $0.entry.exit == transient }),
      let error = first.entry.error, work.attempt <= limits.retries, !isClosed
    {
      let pause = min(
        BatchRunner.pauses.longest,
        BatchRunner.pauses.first * Double(1 << min(10, work.attempt - 1)))
      waiting.retry(
        WorkQueue.Turn(
          unit: work.unit, attempt: work.attempt + 1, notBefore: WorkClock.wall + pause))
      return observer.willRetry(work.unit.name, after: pause, because: error)
    }
    for (outcome, number) in zip(outcomes, work.unit.numbers) {
      var outcome = outcome
      if let errorText, !outcome.entry.cached {
        outcome.entry.stderr = errorText
        if var report = outcome.report ?? store.read(outcome.entry.id) {
          report.stderr = errorText
          keep(report)
        }
      }
      try conclude(outcome, number)
    }
  }

  /// Stores a result that the worker couldn't store. If that fails, too, the item is reported as
  /// failed now, and the next run does it again, because it finds no result.
  private func keep(_ report: ItemReport) { try? store.write(report) }

  private func conclude(_ outcome: WorkReply.Outcome, _ number: Int) throws {
    let entry = outcome.entry
    try ledger.record(entry, at: number)
    observer.ended(entry, reason: outcome.reason)
    // Whatever is begun on a full disk fails as well.
    let isFull = entry.error?.kind == MediaError.Kind.diskFull.rawValue
    if isFull || options.failFast && entry.status == .error { close() }
  }

  private func enforceLimits() {
    let now = WorkClock.wall
    let looks = now >= nextLook
    if looks { nextLook = now + BatchRunner.interval }
    for worker in workers.compactMap({ $0 }) {
      guard let work = worker.work else { continue }
      if let grace = work.grace {
        if now > grace { worker.destroy() }
      } else if let deadline = work.deadline, now > deadline {
        abandon(worker, .timeout)
      } else if looks, worker.memory > limits.jobMemory {
        worker.work?.verdict = .memory
        worker.work?.grace = now
        worker.destroy()
      }
    }
  }
}

/// Watches a batch; all calls come from one thread.
package protocol BatchObserver: AnyObject {
  /// A worker begins an item or album called `name`.
  func began(_ name: String, worker: Int, attempt: Int)
  /// Reports a worker's progress with its item.
  func progressed(_ name: String, worker: Int, _ progress: WorkProgress)
  /// A worker is idle.
  func rested(worker: Int)
  /// An item has ended; `reason` is why an existing result wasn't used, `nil` when there was none.
  func ended(_ entry: BatchReport.Entry, reason: String?)
  /// An item or album failed for now and is tried again.
  func willRetry(_ name: String, after seconds: Double, because error: RenderReport.Failure)
  /// Called in every round of the batch's loop, at least ten times a second.
  func tick()
}

/// Asks a running batch to stop, from any thread.
package final class BatchStop: Sendable {
  private let wanted = Atomic(false)
  private let inlet: Int32
  private let outlet: Int32

  /// A stop that hasn't been requested.
  package init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    (inlet, outlet) = (ends[0], ends[1])
  }

  deinit { for end in [inlet, outlet] where end >= 0 { close(end) } }

  /// Stops the batch: no further work begins, and running work is stopped in order.
  package func request() {
    wanted.store(true, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 1
    _ = write(outlet, &byte, 1)
  }

  /// Whether it shall stop.
  package var isRequested: Bool { wanted.load(ordering: .sequentiallyConsistent) }

  /// Becomes readable when it shall stop; -1 when there is no such descriptor.
  var descriptor: Int32 { inlet }
}
