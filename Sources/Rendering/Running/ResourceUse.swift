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
  static var peakRSSMiB: Double { Double(ProcessMemory.ownPeak) / 1_048_576 }

  private static var cpu: Double { SystemClock.processor }

  package static var wall: Double { SystemClock.steady }
}
