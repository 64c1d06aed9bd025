import AudioCore
import Report

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
  ///   - progress: called now and then with how far the run is.
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
    while true {
      let run = RenderRun(
        request: attempt.requests[0], environment: environment, bypassed: attempt.failures,
        progress: progress)
      do {
        try ProcessorPaths.during(isPortable: request.policy.isPortable) { try run.run() }
        run.close(nil)
        return .success(run.finishedReport())
      } catch {
        run.close(error)
        let failure = failure(error, run)
        guard attempt.leavesOut(failure.error) else { return .failure(failure) }
      }
    }
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
        return .success(runs.map { $0.finishedReport() })
      } catch {
        for run in runs.reversed() { run.close(error) }
        let failure = failure(error, runs[album.current])
        guard attempt.leavesOut(failure.error) else { return .failure(failure) }
      }
    }
  }

  private func failure(_ error: any Error, _ run: RenderRun) -> RenderFailure {
    let known = MediaError(any: error, input: run.request.name)
    return RenderFailure(error: known, report: run.failedReport(known))
  }
}
