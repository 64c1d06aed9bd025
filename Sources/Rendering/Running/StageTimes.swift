// SPDX-License-Identifier: Apache-2.0
import Platform
import Report

/// Processor time of the stages of a run, each on the thread that does its work. Only the run's own thread uses it: threads beside
/// it keep their time themselves until they have ended.
final class StageTimes {
  private var spent: [RenderReport.Performance.Stage: Double] = [:]
  /// Seconds of stages inside the one that is being timed.
  private var inner = 0.0

  /// Result of `body`, whose time on this thread counts for `stage`, but for what stages inside it take.
  func time<Result>(
    _ stage: RenderReport.Performance.Stage, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = inner
    inner = 0
    let start = SystemClock.thread
    defer {
      let all = SystemClock.thread - start
      add(stage, all - inner)
      inner = outer + all
    }
    return try body()
  }

  /// Adds what a thread of its own took for `stage`.
  func add(_ stage: RenderReport.Performance.Stage, _ seconds: Double) {
    spent[stage, default: 0] += seconds
  }

  /// The stages that took any time, in their order.
  var report: [RenderReport.Performance.StageCost] {
    RenderReport.Performance.Stage.allCases.compactMap { stage in
      spent[stage].map { .init(stage: stage, cpuSeconds: $0) }
    }
  }
}
