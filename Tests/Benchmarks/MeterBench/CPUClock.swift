// SPDX-License-Identifier: Apache-2.0
import Platform

/// CPU time of this process.
enum CPUClock {
  /// CPU time used so far, in milliseconds.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }
}
