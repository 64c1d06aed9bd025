import AudioCore
import Essentials
import MediaOut
import Platform
import Report

/// What one shard of a batch has done (`pinna.shard/1`), in `.pinna/shards` of the output folder.
package struct ShardRecord: Sendable, Codable, Equatable {
  /// Always `pinna.shard/1`.
  package var schema = "pinna.shard/1"
  /// Which shard.
  package var shard: Shard
  /// Digest of the whole batch's plan.
  package var manifest: String
  /// Ids that belong to it.
  package var planned: [String]
  /// Ids that came to an end, failed ones too.
  package var ended: [String]
  /// Ids that failed.
  package var failed: [String]

  /// The record of `shard` of `plan`, whose items ended as in `entries`.
  /// - Throws: what reading an entry throws.
  package init(shard: Shard, plan: BatchPlan, entries: BatchEntries) throws {
    self.shard = shard
    manifest = plan.digest
    planned = plan.items(of: shard).map(\.id)
    (ended, failed) = ([], [])
    try entries.forEach { entry in
      if entry.isDone || entry.status == .error { ended.append(entry.id) }
      if entry.status == .error { failed.append(entry.id) }
    }
  }

  /// Stores it in the output folder `root`.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`.
  package func write(root: String) throws {
    try TextFile.write(
      ReportJSON.pretty(self),
      to: LocalPath.joined(root, "\(ResultStore.folderName)/shards/\(shard.fileName).json"))
  }

  /// All records in the output folder `root`, by number.
  /// - Throws: ``MediaError`` of kind `usage` for one that can't be read.
  static func all(root: String) throws -> [ShardRecord] {
    let folder = LocalPath.joined(root, "\(ResultStore.folderName)/shards")
    let names = FolderListing.names(in: folder).filter { $0.hasSuffix(".json") }
    return try names.map { name in
      let path = folder + "/" + name
      guard let data = FileManager.default.contents(atPath: path),
        let record = try? JSONDecoder().decode(ShardRecord.self, from: data)
      else { throw MediaError(.usage, about: path, "isn't the record of a shard; remove it") }
      return record
    }.sorted { ($0.shard.count, $0.shard.index) < ($1.shard.count, $1.shard.index) }
  }
}
