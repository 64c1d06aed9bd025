import Platform

/// What a batch and its workers may use.
package struct BatchLimits: Sendable {
  /// Worker processes.
  package var workers: Int
  /// Rendered audio held in memory by all workers together, bytes.
  package var spoolMemory: Int
  /// Seconds a job may take; `nil` has no limit.
  package var jobSeconds: Double?
  /// Memory a worker may take, bytes.
  package var jobMemory: Int
  /// Times a job is tried again after an error that may pass.
  package var retries: Int

  /// Limits.
  package init(
    workers: Int, spoolMemory: Int, jobSeconds: Double? = nil, jobMemory: Int,
    retries: Int = 0
  ) {
    self.workers = workers
    self.spoolMemory = spoolMemory
    self.jobSeconds = jobSeconds
    self.jobMemory = jobMemory
    self.retries = retries
  }

  /// Least memory a worker can be given, bytes.
  package static let leastJobMemory = 128 << 20

  /// Default memory for each of `workers`: its share of the machine's, between 256 MiB and 2 GiB.
  package static func usualJobMemory(workers: Int) -> Int {
    let machine = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(getpagesize())
    return max(256 << 20, min(2 << 30, machine / max(1, workers)))
  }
}
