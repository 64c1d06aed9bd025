import Platform
import Report

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
