import AudioCore
import Essentials
import Platform
import Report

/// The entries of a batch's items in the order in which they come. All but the last of a large batch lie on the disk.
package final class EntryLedger {
  /// Where an entry's line of JSON is.
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
