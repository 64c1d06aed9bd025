import Platform

/// What a batch and its workers may use.
public struct BatchLimits: Sendable {
  /// Worker processes.
  public var workers: Int
  /// Rendered audio held in memory by all workers together, bytes.
  public var spoolMemory: Int
  /// Seconds a job may take; `nil` has no limit.
  public var jobSeconds: Double?
  /// Memory a worker may take, bytes.
  public var jobMemory: Int
  /// Times a job is tried again after an error that may pass.
  public var retries: Int

  /// Limits.
  public init(
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
  public static let leastJobMemory = 128 << 20

  /// Memory for each of `workers` when nothing else is said: its share of the machine's, between
  /// 256 MiB and 2 GiB.
  public static func usualJobMemory(workers: Int) -> Int {
    let machine = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(getpagesize())
    return max(256 << 20, min(2 << 30, machine / max(1, workers)))
  }
}
