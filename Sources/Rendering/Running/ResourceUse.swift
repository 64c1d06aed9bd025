import Platform

/// CPU and wall time of a job, and the process's largest resident set.
package struct ResourceUse {
  private let cpuStart: Double
  private let wallStart: Double

  init() {
    cpuStart = ResourceUse.cpu
    wallStart = ResourceUse.wall
  }

  var cpuSeconds: Double { ResourceUse.cpu - cpuStart }
  var wallSeconds: Double { ResourceUse.wall - wallStart }

  /// Largest resident set so far, MiB.
  static var peakRSSMiB: Double {
    var usage = rusage()
    // 0 is RUSAGE_SELF, which is imported as an enumeration the call does not take.
    getrusage(0, &usage)
    return Double(usage.ru_maxrss) / 1024
  }

  private static var cpu: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  package static var wall: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
