/// How far a render is: a line of `--progress ndjson`.
public struct ProgressEvent: Sendable, Codable, Equatable {
  /// Always `progress`.
  public var type = "progress"
  /// The input, or the item of a batch.
  public var job: String
  /// `render`, `finish` or `verify`.
  public var pass: String
  /// Samples done in this step; never goes back within it.
  public var done: Int64
  /// Samples in all, when known.
  public var total: Int64?
  /// Seconds of audio per elapsed second; absent in a batch.
  public var speed: Double?

  /// A step's progress.
  public init(job: String, pass: String, done: Int64, total: Int64?, speed: Double? = nil) {
    self.job = job
    self.pass = pass
    self.done = done
    self.total = total
    self.speed = speed
  }
}

/// What happens to an item of a batch: a line of `--progress ndjson`.
public struct ItemEvent: Sendable, Codable, Equatable {
  /// Which event it is.
  public enum Event: String, Sendable, Codable, CaseIterable {
    /// A worker begins.
    case start
    /// It failed, and will be tried again.
    case retry
    /// It is done or has failed.
    case end
  }

  /// Always `item`.
  public var type = "item"
  /// Which event it is.
  public var event: Event
  /// Its id in the batch.
  public var id: String
  /// Number of the worker, from 1; of a start.
  public var worker: Int?
  /// How often it has been tried, this time included; of a start.
  public var attempt: Int?
  /// Seconds until it is tried again; of a retry.
  public var seconds: Double?
  /// What failed; of a retry, and of an end that is a failure.
  public var error: RenderReport.Failure?
  /// Outcome; of an end, as are all that follow.
  public var status: BatchReport.Status?
  /// Whether an earlier run did the work.
  public var cached: Bool?
  /// Exit code that `pinna render` has for this outcome.
  public var exit: Int32?
  /// Why the work of an earlier run was done again.
  public var again: String?
  /// Items that have ended so far.
  public var done: Int?
  /// Items in all.
  public var total: Int?

  /// An event of the item `id`.
  public init(_ event: Event, id: String) {
    self.event = event
    self.id = id
  }
}

/// The beginning or the end of a batch: a line of `--progress ndjson`.
public struct BatchEvent: Sendable, Codable, Equatable {
  /// Which event it is.
  public enum Event: String, Sendable, Codable, CaseIterable {
    /// The batch begins.
    case start
    /// The batch has ended.
    case end
  }

  /// Always `batch`.
  public var type = "batch"
  /// Which event it is.
  public var event: Event
  /// Items in all.
  public var total: Int
  /// The manifest or folder; of a start.
  public var source: String?
  /// Which shard, as `i/n`; of a start.
  public var shard: String?
  /// Exit code of the command; of an end, as are all that follow.
  public var exit: Int32?
  /// Items done, by this run or an earlier one.
  public var done: Int?
  /// Of those, done by an earlier run.
  public var cached: Int?
  /// Items that failed.
  public var failed: Int?
  /// Items not begun or not finished.
  public var stopped: Int?

  /// An event of a batch with `total` items.
  public init(_ event: Event, total: Int) {
    self.event = event
    self.total = total
  }
}

/// A golden that has been verified: a line of `--progress ndjson`.
public struct GoldenEvent: Sendable, Codable, Equatable {
  /// Always `golden`.
  public var type = "golden"
  /// Its name.
  public var id: String
  /// `passed` or `failed`.
  public var status: String
  /// Goldens that have ended so far.
  public var done: Int
  /// Goldens in all.
  public var total: Int

  /// The end of the golden `id`.
  public init(id: String, status: String, done: Int, total: Int) {
    self.id = id
    self.status = status
    self.done = done
    self.total = total
  }
}
