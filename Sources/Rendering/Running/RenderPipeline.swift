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

  /// Runs several jobs under one gain, so that they keep their levels to each other.
  ///
  /// All are rendered first, each into its own temporary file; then one gain is solved for all, and
  /// all outputs appear or none does. Every job has one output and the same target, of the mode
  /// `measured`; the target's `reference` says which loudness is brought to it.
  /// - Parameters:
  ///   - jobs: the programmes.
  ///   - progress: called with the number of a job and how far it is.
  /// - Returns: the reports, in the order of the jobs.
  /// - Throws: ``RenderFailure`` with the error and the report of the job that failed.
  public func renderAlbum(
    _ jobs: [RenderJob], progress: @escaping @Sendable (Int, RenderProgress) -> Void = { _, _ in }
  ) async throws(RenderFailure) -> [RenderReport] {
    let outcome = await withTaskExecutorPreference(JobExecutor()) {
      RenderPipeline.albumOutcome(jobs, progress)
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
      return .failure(failure(error, job, runner))
    }
  }

  private static func albumOutcome(
    _ jobs: [RenderJob], _ progress: @escaping @Sendable (Int, RenderProgress) -> Void
  ) -> Result<[RenderReport], RenderFailure> {
    guard !jobs.isEmpty else { return .success([]) }
    let runners = jobs.enumerated().map { index, job in
      var job = job
      job.spoolMemory /= jobs.count
      return JobRunner(
        job: job, progress: { progress(index, $0) }, isCancelled: { Task.isCancelled })
    }
    let album = AlbumRunner(jobs: jobs, runners: runners)
    do {
      try album.run()
      return .success(runners.map { $0.finishedReport() })
    } catch {
      return .failure(failure(error, jobs[album.current], runners[album.current]))
    }
  }

  private static func failure(
    _ error: any Error, _ job: RenderJob, _ runner: JobRunner
  ) -> RenderFailure {
    let known = JobRunner.mediaError(error, input: job.input.name)
    return RenderFailure(error: known, report: runner.failedReport(known))
  }
}
