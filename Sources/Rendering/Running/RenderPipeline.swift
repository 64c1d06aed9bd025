// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dispatch
import LibAV
import Platform
import Report
import Synchronization

/// Renders media files: the library's entry point.
///
/// A request is decoded once and rendered once for each output. Pass 1 measures the rendered programme
/// while it goes to a spool; pass 2 applies the one solved gain and the limiter while the file is
/// written; then the file is read back, checked and renamed into place.
public struct RenderPipeline: Sendable {
  private let environment: RenderEnvironment

  /// A pipeline in `environment`.
  public init(_ environment: RenderEnvironment = RenderEnvironment()) {
    self.environment = environment
  }

  /// Runs one request to its end on a thread of its own.
  ///
  /// Cancelling the task stops the run within a block and leaves no file behind.
  /// - Parameters:
  ///   - request: what to do.
  ///   - progress: called at most ten times a second with how far the run is.
  /// - Returns: the report; its status is `ok`, `silent` or `unchanged`.
  /// - Throws: ``RenderFailure`` with the error and the report so far.
  public func render(
    _ request: RenderRequest, progress: @escaping @Sendable (RenderProgress) -> Void = { _ in }
  ) async throws(RenderFailure) -> RenderReport {
    let outcome = await Cancellation.watching { self.outcome(request, progress, $0) }
    return try outcome.get()
  }

  /// Runs several requests under one gain, so that they keep their levels to each other.
  ///
  /// All are rendered first, each into its own temporary file; then one gain is solved for all, and
  /// all outputs appear or none does. Every request has one output and the same target, of the mode
  /// `measured`; the target's `reference` says which loudness is brought to it.
  /// - Parameters:
  ///   - requests: the programmes.
  ///   - progress: called with the number of a request and how far it is.
  /// - Returns: the reports, in the order of the requests.
  /// - Throws: ``RenderFailure`` with the error and the report of the request that failed.
  public func renderAlbum(
    _ requests: [RenderRequest],
    progress: @escaping @Sendable (Int, RenderProgress) -> Void = { _, _ in }
  ) async throws(RenderFailure) -> [RenderReport] {
    let outcome = await Cancellation.watching { self.albumOutcome(requests, progress, $0) }
    return try outcome.get()
  }

  private func outcome(
    _ request: RenderRequest, _ progress: @escaping @Sendable (RenderProgress) -> Void,
    _ cancellation: Cancellation
  ) -> Result<RenderReport, RenderFailure> {
    let progress = RunProgress(name: request.name, report: progress) { cancellation.isCancelled }
    var attempt = TapBypass([request])
    let found = try? ProcessorPaths.during(isPortable: request.policy.isPortable) {
      TracksRun.open(request, isCancelled: progress.isCancelled)
    }
    let opened = found ?? nil
    while true {
      let run = makeRun(attempt.requests[0], attempt.failures, opened, progress)
      do {
        try ProcessorPaths.during(isPortable: request.policy.isPortable) { try run.run() }
        run.close(nil)
        progress.finish()
        return .success(run.finishedReport())
      } catch {
        run.close(error)
        let known = MediaError(any: error, input: run.request.name)
        guard attempt.leavesOut(known) else { return .failure(failure(known, run)) }
      }
    }
  }

  /// The run of a request: one for each track where several go into one file.
  private func makeRun(
    _ request: RenderRequest, _ bypassed: [MediaError], _ opened: TracksRun.Opened?,
    _ progress: RunProgress
  ) -> any WholeRun {
    func run(_ request: RenderRequest) -> RenderRun {
      RenderRun(
        request: request, input: opened?.input, opening: opened?.log, environment: environment,
        bypassed: bypassed, progress: progress)
    }
    guard let numbers = opened?.numbers else { return run(request.part(0, of: [])) }
    return TracksRun(request, numbers: numbers, make: run)
  }

  private func albumOutcome(
    _ requests: [RenderRequest], _ progress: @escaping @Sendable (Int, RenderProgress) -> Void,
    _ cancellation: Cancellation
  ) -> Result<[RenderReport], RenderFailure> {
    guard let first = requests.first else { return .success([]) }
    let shown = requests.enumerated().map { index, request in
      RunProgress(name: request.name, report: { progress(index, $0) }) { cancellation.isCancelled }
    }
    var attempt = TapBypass(requests)
    while true {
      let runs = zip(attempt.requests, shown).map { request, progress in
        var request = request
        request.policy.spoolMemory /= requests.count
        return RenderRun(
          request: request, environment: environment, bypassed: attempt.failures,
          progress: progress)
      }
      let album = AlbumRun(runs)
      do {
        try ProcessorPaths.during(isPortable: first.policy.isPortable) { try album.run() }
        for run in runs.reversed() { run.close(nil) }
        for progress in shown { progress.finish() }
        return .success(runs.map { $0.finishedReport() })
      } catch {
        for run in runs.reversed() { run.close(error) }
        let run = runs[album.current]
        let known = MediaError(any: error, input: run.request.name)
        guard attempt.leavesOut(known) else { return .failure(failure(known, run)) }
      }
    }
  }

  private func failure(_ error: MediaError, _ run: any WholeRun) -> RenderFailure {
    RenderFailure(error: error.withoutTap, report: run.failedReport(error))
  }
}

/// A failed job: the error and the report of what was done before it.
public struct RenderFailure: Error, Sendable, CustomStringConvertible {
  /// Why the job failed.
  public let error: MediaError
  /// The report, with status `error`.
  public let report: RenderReport

  /// The error's sentence.
  public var description: String { error.message }
}

extension MediaError {
  /// Makes what `body` throws a failure about `name`, unless it says what it is about.
  package static func naming<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as MediaError where !error.message.contains(name) {
      throw MediaError(error.kind, about: name, "\(error.message)", cause: error.cause)
    }
  }

  /// Any error as a ``MediaError`` about `input`.
  package init(any error: any Error, input: String) {
    switch error {
    case let known as MediaError: self = known
    case let code as LibAVError:
      self.init(
        code.meaning == .outOfMemory ? .outOfResources : .internal, about: input,
        "libav: \(code)", cause: code)
    default: self.init(.internal, about: input, "\(error)", cause: error)
    }
  }
}

/// Whether a run is to stop, for all of its threads: only the task's own thread can ask the task.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  /// Whether ``cancel()`` was called.
  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Asks the run to stop.
  func cancel() { flag.store(true, ordering: .relaxed) }

  /// Runs `body` as a job on a thread of its own; cancelling the task cancels this as well.
  static func watching<Value: Sendable>(
    _ body: @escaping @Sendable (Cancellation) -> Value
  ) async -> Value {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withTaskExecutorPreference(JobExecutor()) { body(cancellation) }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Runs a job's blocking work on a thread of its own, so that the shared pool stays free for
/// whoever wants to cancel it.
package final class JobExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "pinna.job")

  /// A thread for one job.
  package init() {}

  /// Runs a piece of the job; called by the concurrency runtime.
  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}

/// Keeps runs that use libav's plain C code apart from runs that don't.
///
/// libav keeps this choice for the whole process. Runs with the same choice may be concurrent; a
/// run with the other choice waits until they have ended. Each run has its own thread, so waiting
/// blocks nothing else.
enum ProcessorPaths {
  /// The state that all runs of the process share.
  private struct State {
    var isPortable = false
    var running = 0
  }

  private static let state = Mutex(State())

  /// How long a run sleeps before it looks again whether it may begin, in microseconds.
  private static let patience: UInt32 = 20_000

  /// Runs `body` with libav's plain C code, or with that for this processor.
  /// - Throws: what `body` throws; ``MediaError`` of kind `interrupted` when the task is cancelled
  ///   while it waits.
  static func during<Value>(
    isPortable: Bool, _ body: () throws -> Value
  ) throws -> Value {
    while !enter(isPortable) {
      if Task.isCancelled {
        throw MediaError(.interrupted, "stopped before it could begin")
      }
      usleep(patience)
    }
    defer { state.withLock { $0.running -= 1 } }
    return try body()
  }

  private static func enter(_ isPortable: Bool) -> Bool {
    state.withLock { state in
      guard state.isPortable != isPortable else {
        state.running += 1
        return true
      }
      guard state.running == 0 else { return false }
      state = State(isPortable: isPortable, running: 1)
      ProcessorCode.usePortable(isPortable)
      return true
    }
  }
}

/// Requests without the taps that failed, where the user asked for that.
struct TapBypass {
  /// The requests as they are now.
  private(set) var requests: [RenderRequest]
  /// Failures of the taps that were left out.
  private(set) var failures: [MediaError] = []

  /// All of `requests`, with all their taps.
  init(_ requests: [RenderRequest]) { self.requests = requests }

  /// Leaves out the tap that `error` came from, in all outputs.
  /// - Returns: whether the requests may be tried again.
  mutating func leavesOut(_ error: MediaError) -> Bool {
    guard requests.allSatisfy({ $0.policy.tapFailure == .bypass }), let failed = error.failedTap
    else { return false }
    var isGone = false
    for request in requests.indices {
      for output in requests[request].outputs.indices {
        guard case .render(var rendition, let container) = requests[request].outputs[output].work
        else { continue }
        let count = rendition.taps.count
        rendition.taps.removeAll { $0 == failed }
        isGone = isGone || rendition.taps.count < count
        requests[request].outputs[output].work = .render(rendition, container)
      }
    }
    // A tap that no request has is one of a queue's items. One that was left out before would fail again for ever.
    if !isGone, failed.point == .item {
      for request in requests.indices {
        for clip in requests[request].clips.indices
        where !requests[request].clips[clip].joining.leftOut.contains(failed) {
          requests[request].clips[clip].joining.leftOut.append(failed)
          isGone = true
        }
      }
    }
    if isGone { failures.append(error) }
    return isGone
  }
}
