import AudioCore
import Report

/// Renders media files: the library's entry point.
///
/// A job decodes once and renders once. Pass 1 measures the rendered programme while it goes to a
/// spool; pass 2 applies the one solved gain and the limiter while the file is written; then the
/// file is read back, checked and renamed into place.
public struct RenderPipeline: Sendable {
  /// A pipeline.
  public init() {}

  /// Runs one job to its end on a thread of its own.
  ///
  /// Cancelling the task stops the job within a block and leaves no file behind.
  /// - Parameters:
  ///   - job: what to do.
  ///   - progress: called now and then with how far the job is.
  /// - Returns: the report; status `ok` or `silent`.
  /// - Throws: ``RenderFailure`` with the error and the report so far.
  public func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void = { _ in }
  ) async throws(RenderFailure) -> RenderReport {
    let outcome = await withTaskExecutorPreference(JobExecutor()) {
      RenderPipeline.outcome(job, progress)
    }
    return try outcome.get()
  }

  private static func outcome(
    _ job: RenderJob, _ progress: @escaping @Sendable (RenderProgress) -> Void
  ) -> Result<RenderReport, RenderFailure> {
    let runner = JobRunner(job: job, progress: progress, isCancelled: { Task.isCancelled })
    do {
      try runner.run()
      return .success(runner.finishedReport())
    } catch {
      let failure = JobRunner.mediaError(error, input: job.input.name)
      return .failure(RenderFailure(error: failure, report: runner.failedReport(failure)))
    }
  }
}
