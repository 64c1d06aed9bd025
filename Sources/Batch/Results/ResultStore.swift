// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import MediaOut
import Platform
import Report

/// The results of a batch's items: one file each, in `.pinna/items` of the output folder.
package struct ResultStore: Sendable {
  /// Name of Pinna's own folder in the output folder.
  package static let folderName = ".pinna"

  /// The batch's output folder.
  package let root: String

  /// The results in the output folder `root`.
  package init(root: String) { self.root = root }

  /// The file with an item's result, relative to the output folder: readable, and no two ids share one.
  package static func place(_ id: String) -> String {
    let plain = id.unicodeScalars.suffix(60).map {
      isPlain($0) ? UInt8($0.value) : UInt8(ascii: "_")
    }
    let digits = FileDigest.of([id]).prefix(16)
    return "\(folderName)/items/\(String(decoding: plain, as: UTF8.self))-\(digits).json"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": return true
    default: return false
    }
  }

  /// Makes the folders that results lie in.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`.
  package func prepare() throws {
    for name in ["items", "shards"] {
      let folder = PathParts.joined(root, "\(ResultStore.folderName)/\(name)")
      let code = FolderListing.make(folder)
      guard code == 0 else { throw OutputFailure.error(code, folder) }
    }
  }

  /// An item's result; `nil` when there is none, or none that can be read.
  package func read(_ id: String) -> ItemReport? {
    let path = PathParts.joined(root, ResultStore.place(id))
    guard let data = FileManager.default.contents(atPath: path),
      let report = try? JSONDecoder().decode(ItemReport.self, from: data),
      report.schema == ItemReport(id: id, input: "", job: "").schema, report.id == id
    else { return nil }
    return report
  }

  /// Stores a result: its file appears complete or not at all, and is synced to the disk.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`.
  package func write(_ report: ItemReport) throws {
    try TextFile.write(
      ReportJSON.pretty(report), to: PathParts.joined(root, ResultStore.place(report.id)),
      removesAbandoned: false)
  }

  /// Removes temporary files of these items' outputs and results that killed processes left.
  @discardableResult
  package func removeAbandoned(_ items: [BatchItem]) -> Int {
    let files = items.flatMap { $0.files + [ResultStore.place($0.id)] }
    return Abandoned.remove(files.map { PathParts.joined(root, $0) })
  }
}

/// The entries of a batch's items in the order in which they come. All but the last of a large batch lie on the disk.
package final class EntryLedger {
  /// The place of an entry's line of JSON.
  private struct Place {
    var offset: Int64 = 0
    /// Bytes; 0 for an item without an entry.
    var count: Int32 = 0
  }

  /// Bytes of entries that are kept in memory until they are written together.
  private static let most = 1 << 20

  private let items: [BatchItem]
  private var places: [Place]
  private var counted = BatchReport.Counts()
  private var pending: [UInt8] = []
  private var file: TemporaryFile?
  private var sealed: LocalFile?

  /// A ledger without an entry of any of `items`; those that get none were stopped.
  package init(items: [BatchItem]) {
    self.items = items
    places = Array(repeating: Place(), count: items.count)
  }

  /// Notes the entry of the item with this number, from 0; each item has one.
  /// - Throws: ``MediaError`` of kind `diskFull`, `outOfResources` or `outputUnwritable`.
  package func record(_ entry: BatchReport.Entry, at number: Int) throws {
    let line = Array(try ReportJSON.line(entry).utf8)
    places[number] = Place(
      offset: (file?.size ?? 0) + Int64(pending.count), count: Int32(line.count))
    pending += line
    counted.add(entry)
    if pending.count >= EntryLedger.most { try spill() }
  }

  /// How the batch `plan`, or its part `shard`, ended; nothing can be recorded after this.
  /// - Throws: ``MediaError`` when the disk refuses.
  package func outcome(of plan: BatchPlan, version: String, shard: Shard?) throws -> BatchOutcome {
    if let file {
      try spill()
      sealed = try file.sealed(name: "temporary file")
    }
    var counts = counted
    counts.stopped += items.count - counted.total
    counts.total = items.count
    let head = BatchReport(
      source: plan.source, manifest: plan.digest, pinna: version, shard: shard?.text,
      counts: counts, skipped: plan.skipped)
    return BatchOutcome(
      head: head, entries: BatchEntries(count: items.count) { try self.entry($0) })
  }

  private func spill() throws {
    let file = try self.file ?? TemporaryFile()
    self.file = file
    try pending.withUnsafeBytes { try file.append($0) }
    pending.removeAll(keepingCapacity: true)
  }

  private func entry(_ number: Int) throws -> BatchReport.Entry {
    let place = places[number]
    guard place.count > 0 else {
      let item = items[number]
      return BatchReport.Entry(
        id: item.id, input: item.input, status: .stopped, result: ResultStore.place(item.id))
    }
    let count = Int(place.count)
    let line =
      sealed.map { $0.bytes(at: place.offset, count: count) }
      ?? Array(pending[Int(place.offset)..<Int(place.offset) + count])
    do { return try JSONDecoder().decode(BatchReport.Entry.self, from: Data(line)) } catch {
      throw MediaError(
        .outputUnwritable, about: "temporary file",
        "what became of \(items[number].id) can't be read back; run the batch again")
    }
  }
}

/// Keeps two batches from working in the same output folder. Shards of one batch share it, but no two
/// runs of the same shard do.
///
/// Workers hold the lock, too: after a batch was killed the next one waits until they are gone.
package final class FolderLock: Sendable {
  /// Seconds to wait for workers of a batch that was killed.
  private static let patience = 5.0

  /// Locked file, also of the workers it is handed to.
  let descriptor: Int32
  private let folder: Int32

  /// Locks the output folder `root` for the whole batch or one shard of it; makes what it needs.
  /// - Throws: ``MediaError`` of kind `busy` when another batch works there.
  package init(root: String, shard: Shard?) throws {
    let own = PathParts.joined(root, ResultStore.folderName)
    let code = FolderListing.make(PathParts.joined(own, "shards"))
    guard code == 0 else { throw OutputFailure.error(code, root) }
    folder = try FolderLock.lock(own + "/lock", shard == nil ? LOCK_EX : LOCK_SH, root)
    do {
      descriptor =
        try shard.map { try FolderLock.lock("\(own)/shards/\($0.fileName).lock", LOCK_EX, root) }
        ?? folder
    } catch {
      close(folder)
      throw error
    }
  }

  deinit {
    if descriptor != folder { close(descriptor) }
    close(folder)
  }

  private static func lock(_ path: String, _ operation: Int32, _ root: String) throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputFailure.error(errno, path) }
    let end = WorkClock.wall + patience
    while flock(descriptor, operation | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      // On a file system without locks the batch works without protection.
      if code == ENOLCK || code == EOPNOTSUPP || code == ENOSYS { break }
      guard WorkClock.wall < end else {
        close(descriptor)
        throw MediaError(
          .busy, about: root,
          "another batch is at work there; wait for its end or give another folder")
      }
      usleep(20_000)
    }
    return descriptor
  }
}
