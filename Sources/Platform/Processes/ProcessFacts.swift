// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// The program that this process runs.
package enum OwnProgram {
  /// A path that starts it again.
  package static var path: String {
    #if canImport(Darwin)
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PROCESS_PATH_ROOM)) { room in
        guard let base = room.baseAddress, process_program(base, UInt32(room.count)) == 0 else {
          return CommandLine.arguments.first ?? ""
        }
        return String(cString: base)
      }
    #else
      // A link that the kernel keeps to the file, even when the file is replaced meanwhile.
      "/proc/self/exe"
    #endif
  }
}

/// Limits that a process sets for itself.
package enum ProcessLimits {
  /// Has this process sent `signal` when the thread that started it ends; on Darwin, when the process that
  /// started it ends.
  /// - Returns: 0, or the errno.
  package static func endWithParent(signal: Int32) -> Int32 { process_end_with_parent(signal) }

  /// Limits the private memory that this process may ask for, in bytes. Darwin takes the limit and doesn't
  /// hold processes to it.
  /// - Returns: 0, or the errno.
  package static func limitMemory(_ bytes: UInt64) -> Int32 { process_limit_memory(bytes) }

  /// Prepares a process that only reads one file: it may ask for `memory` bytes, leaves no core file, and
  /// ends with the one that started it.
  /// - Returns: 0, or the errno.
  package static func confine(memory: UInt64) -> Int32 { process_confine(memory) }
}

/// The memory that processes hold.
package enum ProcessMemory {
  /// Resident memory of the process `pid` in bytes; 0 when it isn't known.
  package static func resident(_ pid: pid_t) -> Int {
    #if canImport(Darwin)
      Int(clamping: process_resident_memory(pid))
    #else
      statm(pid)
    #endif
  }

  /// Gives memory that was freed, but that the allocator keeps for later, back to the system, where that is
  /// possible.
  package static func giveBack() { process_return_memory() }

  /// Whether so many `bytes` more can be had now.
  package static func canHold(_ bytes: Int) -> Bool {
    let place = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    // (void *)-1 is the failure.
    guard let place, place != UnsafeMutableRawPointer(bitPattern: -1) else { return false }
    munmap(place, bytes)
    return true
  }

  /// The largest resident set that `usage` states, in bytes.
  package static func peak(_ usage: rusage) -> Int {
    #if canImport(Darwin)
      usage.ru_maxrss
    #else
      // Linux counts in KiB.
      usage.ru_maxrss << 10
    #endif
  }

  /// The largest resident set of this process so far, in bytes.
  package static var ownPeak: Int {
    var usage = rusage()
    // 0 is RUSAGE_SELF, which is imported as an enumeration the call does not take.
    getrusage(0, &usage)
    return peak(usage)
  }

  #if !canImport(Darwin)
    /// The second number of the kernel's file about a process: its resident pages.
    private static func statm(_ pid: pid_t) -> Int {
      guard let file = try? LocalFile(path: "/proc/\(pid)/statm") else { return 0 }
      let text = [UInt8](unsafeUninitializedCapacity: 128) { room, filled in
        guard let base = room.baseAddress else { return }
        filled = max(0, file.read(into: base, count: room.count, at: 0))
      }
      let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
      return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
  #endif
}

/// The treatment of signals by this process.
package enum SignalState {
  /// Whether the signal `number` is ignored.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // C defines SIG_IGN as a cast of this number.
    return unsafeBitCast(handler(of: action), to: Int.self) == 1
  }

  private typealias Handler = (@convention(c) (Int32) -> Void)?

  /// The field has another name on each system.
  private static func handler(of action: sigaction) -> Handler {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler
    #else
      action.__sigaction_handler.sa_handler
    #endif
  }
}

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

  /// The date and time in UTC (ISO 8601), or that of `SOURCE_DATE_EPOCH`, for documents that are made again
  /// (reproducible-builds.org).
  package static var date: String {
    let stated = getenv("SOURCE_DATE_EPOCH").flatMap { Int(String(cString: $0)) }
    var seconds = stated ?? time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return day + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// Processor time used by this process so far, in seconds.
  package static var processor: Double {
    #if canImport(Darwin)
      seconds(_CLOCK_PROCESS_CPUTIME_ID)
    #else
      seconds(CLOCK_PROCESS_CPUTIME_ID)
    #endif
  }

  /// Processor time used by the calling thread so far, in seconds.
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
