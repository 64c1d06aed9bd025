import CProcess

/// What memory processes hold.
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
