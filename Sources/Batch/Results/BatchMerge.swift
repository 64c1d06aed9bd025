// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import MediaOut
import Platform
import Report

/// Joins the results of a batch's items, on whichever machine each was rendered, into one report.
package struct BatchMerge {
  private let plan: BatchPlan
  private let version: String

  /// A merge of the results that lie in the output folder of `plan`.
  package init(plan: BatchPlan, version: String) {
    self.plan = plan
    self.version = version
  }

  /// The outcome: an item without a result of this plan counts as missing.
  /// - Parameter shards: how many shards there must be; `nil` takes the number that their records
  ///   state.
  /// - Throws: ``MediaError`` of kind `usage` when shards of different batches are mixed.
  package func outcome(shards: Int?) throws -> BatchOutcome {
    let records = try ShardRecord.all(root: plan.root)
    try check(records, shards)
    let store = ResultStore(root: plan.root)
    let present = Set(records.map(\.shard))
    let count = shards ?? records.first?.shard.count
    let ledger = EntryLedger(items: plan.items)
    func entry(_ item: BatchItem) -> BatchReport.Entry {
      let place = ResultStore.place(item.id)
      let found = store.read(item.id)
      let fault: String?
      if let found, found.status != .started, found.job == item.job {
        fault = self.fault(of: found, item)
        if fault == nil { return BatchReport.Entry(found, cached: false, result: place) }
      } else {
        fault = why(item, found, count, present)
      }
      var entry = BatchReport.Entry(
        id: item.id, input: item.input, status: .missing, result: place)
      entry.error = RenderReport.Failure(
        kind: "missing", message: "\(item.input): \(fault ?? "")")
      return entry
    }
    for (number, item) in plan.items.enumerated() { try ledger.record(entry(item), at: number) }
    return try ledger.outcome(of: plan, version: version, shard: nil)
  }

  /// Change since the result was written; `nil` when there is none. Compares the content of
  /// inputs, and the names and sizes of outputs; HRTF sets and other side files aren't compared.
  private func fault(of report: ItemReport, _ item: BatchItem) -> String? {
    guard report.isDone else { return nil }
    for file in report.files {
      let size = FolderListing.size(PathParts.joined(plan.root, file.path))
      guard size == file.bytes else {
        let fate = size == nil ? "is gone" : "isn't what was written"
        return "its output \(file.path) \(fate); run the batch again"
      }
    }
    guard let known = report.inputSHA256, !LocalPath.isWeb(item.source) else { return nil }
    do {
      guard try FileDigest.ofFile(item.source).sha256 != known else { return nil }
      return "has changed since it was rendered; run the batch again"
    } catch {
      return "can't be read any more, so that nobody knows whether its result is still right"
    }
  }

  private func why(
    _ item: BatchItem, _ found: ItemReport?, _ count: Int?, _ present: Set<Shard>
  ) -> String {
    if let found, found.status == .started {
      return "was begun but not finished; run the batch again"
    }
    if found != nil {
      return "its result is of other options or names; run the batch again"
    }
    guard let count,
      let shard = (1...count).lazy.compactMap({ try? Shard(index: $0, count: count) })
        .first(where: { $0.contains(item) })
    else { return "has no result; run the batch again" }
    let fate = present.contains(shard) ? "was stopped before it" : "hasn't ended or never began"
    return "has no result, because shard \(shard.text) \(fate); run that shard again"
  }

  private func check(_ records: [ShardRecord], _ shards: Int?) throws {
    let counts = Set(records.map(\.shard.count)).sorted()
    guard counts.count <= 1 else {
      throw MediaError(
        .usage, about: plan.root,
        "has results of \(counts.map { "\($0)" }.joined(separator: " and of ")) shards; "
          + "remove the records of the old run from \(ResultStore.folderName)/shards")
    }
    if let shards, let count = counts.first, count != shards {
      throw MediaError(
        .usage,
        "--shards \(shards): the results there are of \(count) shards; give --shards \(count)")
    }
    if let other = records.first(where: { $0.manifest != plan.digest }) {
      throw MediaError(
        .usage, about: plan.root,
        "shard \(other.shard.text) is of another manifest, or of other options; give "
          + "the same ones, or run that shard again")
    }
  }
}

/// The work done by one shard of a batch (`pinna.shard/1`), in `.pinna/shards` of the output folder.
package struct ShardRecord: Sendable, Codable, Equatable {
  /// Always `pinna.shard/1`.
  package var schema = "pinna.shard/1"
  /// The shard.
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
      to: PathParts.joined(root, "\(ResultStore.folderName)/shards/\(shard.fileName).json"))
  }

  /// All records in the output folder `root`, by number.
  /// - Throws: ``MediaError`` of kind `usage` for one that can't be read.
  static func all(root: String) throws -> [ShardRecord] {
    let folder = PathParts.joined(root, "\(ResultStore.folderName)/shards")
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
