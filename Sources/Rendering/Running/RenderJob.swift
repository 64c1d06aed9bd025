// SPDX-License-Identifier: Apache-2.0
import Report

/// A render that has begun: its progress as a sequence to be awaited, and its report.
public struct RenderJob: Sendable {
  /// How far the job is, at most ten times a second; ends with the job. A reader that is slower gets the newest value.
  public let progress: AsyncStream<RenderProgress>
  private let task: Task<Result<RenderReport, RenderFailure>, Never>

  fileprivate init(_ request: RenderRequest, _ pipeline: RenderPipeline) {
    let (progress, continuation) = AsyncStream.makeStream(
      of: RenderProgress.self, bufferingPolicy: .bufferingNewest(1))
    self.progress = progress
    task = Task {
      defer { continuation.finish() }
      do throws(RenderFailure) {
        return .success(try await pipeline.render(request) { continuation.yield($0) })
      } catch {
        return .failure(error)
      }
    }
  }

  /// The report, once the job has ended. Cancelling the task that awaits it stops the job.
  /// - Throws: ``RenderFailure`` with the error and the report so far.
  public var report: RenderReport {
    get async throws(RenderFailure) {
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      return try result.get()
    }
  }

  /// Stops the job within a block; no file is left behind.
  public func cancel() { task.cancel() }
}

extension RenderPipeline {
  /// Begins with one request and returns at once.
  public func begin(_ request: RenderRequest) -> RenderJob { RenderJob(request, self) }
}
