import Platform
import Report

/// Time and memory that a request takes.
struct WorkClock {
  private let cpuStart = WorkClock.seconds(CLOCK_PROCESS_CPUTIME_ID)
  private let wallStart = WorkClock.wall

  /// The cost so far.
  func performance(attempt: Int, renderSeconds: Double) -> ItemReport.Performance {
    var usage = rusage()
    // 0 is RUSAGE_SELF, which is imported as an enumeration the call does not take.
    getrusage(0, &usage)
    return ItemReport.Performance(
      attempts: attempt,
      cpuSeconds: WorkClock.rounded(WorkClock.seconds(CLOCK_PROCESS_CPUTIME_ID) - cpuStart),
      wallSeconds: WorkClock.rounded(WorkClock.wall - wallStart),
      renderSeconds: WorkClock.rounded(renderSeconds),
      peakRSSMiB: WorkClock.rounded(Double(usage.ru_maxrss) / 1024))
  }

  /// Seconds on a clock that never goes back.
  static var wall: Double { seconds(CLOCK_MONOTONIC) }

  private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
