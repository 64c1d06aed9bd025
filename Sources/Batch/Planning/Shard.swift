import AudioCore

/// A part of a batch for one of several machines. Which item belongs to which shard depends on its
/// id alone, or on its album's name, so no item is rendered twice, whichever shards run.
package struct Shard: Sendable, Codable, Hashable {
  /// Number, from 1.
  package let index: Int
  /// Number of shards.
  package let count: Int

  /// Most shards a batch can have.
  private static let most = 1_000_000

  /// Shard `index` of `count`.
  /// - Throws: ``MediaError`` of kind `usage`.
  package init(index: Int, count: Int) throws {
    guard (1...Shard.most).contains(count), (1...count).contains(index) else {
      throw MediaError(
        .usage, "--shard \(index)/\(count): shards are numbered from 1, as 1/4 to 4/4")
    }
    self.index = index
    self.count = count
  }

  /// Reads `i/n`.
  /// - Throws: ``MediaError`` of kind `usage`.
  package init(_ text: String) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1] else {
      throw MediaError(.usage, "--shard \(text): give it as i/n, as 1/4 to 4/4")
    }
    try self.init(index: index, count: count)
  }

  /// Shard of `count` whose number a cluster's scheduler has put into the environment: that of a Slurm
  /// array task counted from its first (SLURM_ARRAY_TASK_MIN), of a Kubernetes indexed job
  /// (JOB_COMPLETION_INDEX, from 0) or of an AWS Batch array job (AWS_BATCH_JOB_ARRAY_INDEX, from 0).
  /// - Throws: ``MediaError`` of kind `usage` when there is none or it doesn't fit.
  package init(count: Int, environment: [String: String]) throws {
    let sources = [
      ("SLURM_ARRAY_TASK_ID", environment["SLURM_ARRAY_TASK_MIN"].flatMap { Int($0) } ?? 0),
      ("JOB_COMPLETION_INDEX", 0), ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ]
    for (name, first) in sources {
      guard let text = environment[name] else { continue }
      guard let number = Int(text), number >= first, number - first < count else {
        throw MediaError(
          .usage,
          "--shards \(count): \(name) is \(text), which isn't \(first) to \(first + count - 1); make "
            + "the array as large as --shards")
      }
      try self.init(index: number - first + 1, count: count)
      return
    }
    throw MediaError(
      .usage,
      "--shards \(count): no scheduler says which shard this is ("
        + sources.map(\.0).joined(separator: ", ") + "); give --shard i/\(count)")
  }

  /// `i/n`.
  package var text: String { "\(index)/\(count)" }

  /// What its files are called.
  var fileName: String { "\(index)-of-\(count)" }

  /// Whether `item` belongs to it.
  func contains(_ item: BatchItem) -> Bool {
    FileDigest.number(item.shardName) % UInt64(count) == UInt64(index - 1)
  }
}
