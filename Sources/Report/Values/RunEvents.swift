// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// How far a render is: a line of `--progress ndjson`.
package struct ProgressEvent: Sendable, Codable, Equatable {
  /// Always `progress`.
  package var type = "progress"
  /// The input, or the item of a batch.
  package var job: String
  /// The step.
  package var pass: RenderPass
  /// Samples done in this step; never decreases within a step.
  package var done: Int64
  /// Samples in all, when known.
  package var total: Int64?
  /// Seconds of audio per elapsed second; absent in a batch.
  package var speed: Double?

  /// A step's progress.
  package init(job: String, pass: RenderPass, done: Int64, total: Int64?, speed: Double? = nil) {
    self.job = job
    self.pass = pass
    self.done = done
    self.total = total
    self.speed = speed
  }
}

/// An event of a batch's item: a line of `--progress ndjson`.
package struct ItemEvent: Sendable, Codable, Equatable {
  /// The kind of an event.
  package enum Event: String, Sendable, Codable, CaseIterable {
    /// A worker begins.
    case start
    /// The item failed, and will be tried again.
    case retry
    /// The item is done or has failed for good.
    case end
  }

  /// Always `item`.
  package var type = "item"
  /// Kind of the event.
  package var event: Event
  /// Its id in the batch.
  package var id: String
  /// Number of the worker, from 1; only for a start.
  package var worker: Int?
  /// Number of attempts including this one; only for a start.
  package var attempt: Int?
  /// Seconds until the next attempt; only for a retry.
  package var seconds: Double?
  /// Failure; for a retry, and for an end after a failure.
  package var error: RenderReport.Failure?
  /// Outcome; this and all fields below are only for an end.
  package var status: BatchReport.Status?
  /// Whether the result is from an earlier run.
  package var cached: Bool?
  /// Exit code that `pinna render` would have had.
  package var exit: Int32?
  /// Why the result of an earlier run couldn't be used.
  package var again: String?
  /// Items that have ended so far.
  package var done: Int?
  /// Items in all.
  package var total: Int?

  /// An event of the item `id`.
  package init(_ event: Event, id: String) {
    self.event = event
    self.id = id
  }
}

/// The beginning or the end of a batch: a line of `--progress ndjson`.
package struct BatchEvent: Sendable, Codable, Equatable {
  /// The kind of an event.
  package enum Event: String, Sendable, Codable, CaseIterable {
    /// The batch begins.
    case start
    /// The batch has ended.
    case end
  }

  /// Always `batch`.
  package var type = "batch"
  /// Kind of the event.
  package var event: Event
  /// Items in all.
  package var total: Int
  /// The manifest or folder; only for a start.
  package var source: String?
  /// The shard, as `i/n`; only for a start.
  package var shard: String?
  /// Exit code of the command; this and all fields below are only for an end.
  package var exit: Int32?
  /// Items done, by this run or an earlier one.
  package var done: Int?
  /// Of those, done by an earlier run.
  package var cached: Int?
  /// Items that failed.
  package var failed: Int?
  /// Items not started or not finished.
  package var stopped: Int?

  /// An event of a batch with `total` items.
  package init(_ event: Event, total: Int) {
    self.event = event
    self.total = total
  }
}

/// A golden that has been verified: a line of `--progress ndjson`.
package struct GoldenEvent: Sendable, Codable, Equatable {
  /// Always `golden`.
  package var type = "golden"
  /// Its name.
  package var id: String
  /// `passed` or `failed`.
  package var status: GoldenReport.Entry.Status
  /// Goldens that have ended so far.
  package var done: Int
  /// Goldens in all.
  package var total: Int

  /// The end of the golden `id`.
  package init(id: String, status: GoldenReport.Entry.Status, done: Int, total: Int) {
    self.id = id
    self.status = status
    self.done = done
    self.total = total
  }
}
