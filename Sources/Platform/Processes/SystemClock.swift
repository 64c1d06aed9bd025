/// The system's clocks, in seconds. Darwin names them by an enumeration and the others by numbers.
package enum SystemClock {
  /// A clock that never goes back; only differences mean something.
  package static var steady: Double {
    #if canImport(Darwin)
      seconds(_CLOCK_MONOTONIC)
    #else
      seconds(CLOCK_MONOTONIC)
    #endif
  }

  /// What this process has used of the processor so far.
  package static var processor: Double {
    #if canImport(Darwin)
      seconds(_CLOCK_PROCESS_CPUTIME_ID)
    #else
      seconds(CLOCK_PROCESS_CPUTIME_ID)
    #endif
  }

  /// What the calling thread has used of the processor so far.
  package static var thread: Double {
    #if canImport(Darwin)
      seconds(_CLOCK_THREAD_CPUTIME_ID)
    #else
      seconds(CLOCK_THREAD_CPUTIME_ID)
    #endif
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
