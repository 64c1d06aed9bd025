import Essentials
import Loudness
import PlayQueue

/// What a run made of a queue: enough to tell which samples another run changes.
struct QueueRecord: Codable {
  /// What is applied to the sum of all items.
  struct Level: Codable, Equatable {
    /// The gain in dB.
    var gainDB: Double
    /// True peak that the limiter allows, dBTP; `nil` without one.
    var ceilingDB: Double?
    /// How quickly the limiter reacts; `nil` without one.
    var response: LimiterResponse?
  }

  /// Versions of what rendered the items, and the processor's extensions.
  var tools: String
  /// All settings that the samples of every item depend on, as text.
  var settings: String
  /// First sample of the programme that was wanted.
  var from: Int64
  /// The queue; every file has one absolute path.
  var queue: PlayQueue
  /// Where its items lie.
  var placement: Placement
  /// SHA-256 of each item's file; empty for silence.
  var digests: [String]
  /// What was applied to the sum.
  var level = Level(gainDB: 0)

  /// The record that `bytes` hold as JSON; `nil` when they hold none, or one whose parts don't belong together.
  static func read(_ bytes: [UInt8]) -> QueueRecord? {
    guard let record = try? JSONDecoder().decode(QueueRecord.self, from: Data(bytes)),
      record.queue.items.count == record.placement.items.count,
      record.queue.items.count == record.digests.count, record.placement.isPlausible
    else { return nil }
    return record
  }

  /// The queue as it is compared.
  var placed: PlacedQueue { PlacedQueue(queue, placement, digests: digests) }
}
