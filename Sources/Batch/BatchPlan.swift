/// Everything a batch will do, worked out before anything is done.
public struct BatchPlan: Sendable {
  /// The output folder.
  public let root: String
  /// The manifest or folder, as it was named.
  public let source: String
  /// All items, in the order of the manifest, or sorted.
  public let items: [BatchItem]
  /// Files of the folder that are left aside, with the reason.
  public let skipped: [String: String]

  /// Digest of all ids and what is asked for.
  public var digest: String {
    FileDigest.of(items.flatMap { [$0.id, $0.job] })
  }

  /// The items of `shard`; all of them without one.
  public func items(of shard: Shard?) -> [BatchItem] {
    shard.map { shard in items.filter { shard.contains($0) } } ?? items
  }
}
