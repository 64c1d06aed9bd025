import AudioCore

/// Which samples of a programme change from one queue to another (`pinna.queue-diff/1`).
///
/// It is about samples before the programme's gain. A gain that isn't pinned may change the level of all samples.
package struct QueueDiffReport: Sendable, Codable, Equatable {
  /// One of the two queues.
  package struct Side: Sendable, Codable, Equatable {
    /// The queue's file as given.
    package var path: String
    /// Number of its items.
    package var items: Int
    /// Rate of its programme in Hz.
    package var rate: Int
    /// Samples of its programme.
    package var samples: Int64

    /// A queue at `path`.
    package init(path: String, items: Int, rate: Int, samples: Int64) {
      self.path = path
      self.items = items
      self.rate = rate
      self.samples = samples
    }
  }

  /// The schema's name and version.
  package static let schemaName = "pinna.queue-diff/1"

  /// Always `pinna.queue-diff/1`.
  package var schema = QueueDiffReport.schemaName
  /// The old queue.
  package var old: Side
  /// The new queue.
  package var new: Side
  /// How far filters are taken to reach over the borders of items, in samples of the new programme.
  package var reach: Int64
  /// Whether both queues pin the programme's gain.
  package var gainIsPinned: Bool
  /// The first sample that may differ; absent when all are equal.
  package var firstChangedSample: Int64?
  /// The ranges in ascending order, none overlapping another.
  package var changes: [QueueReport.Change]
  /// Doubts about what was found in the files.
  package var degradations: [Diagnostic]

  /// A comparison of `old` and `new`.
  package init(
    old: Side, new: Side, reach: Int64, gainIsPinned: Bool, changes: [QueueReport.Change],
    degradations: [Diagnostic]
  ) {
    self.old = old
    self.new = new
    self.reach = reach
    self.gainIsPinned = gainIsPinned
    firstChangedSample = changes.first?.from
    self.changes = changes
    self.degradations = degradations
  }
}
