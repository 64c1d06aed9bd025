// SPDX-License-Identifier: Apache-2.0
import Report

/// A batch as HTML: one page with an overview that can be sorted, and each item's plots and tables; or, of many items,
/// an index and pages of 500 items.
package struct BatchPage {
  /// Most items on a page.
  package static let limit = 500

  /// How the batch ended.
  package let batch: BatchOutcome
  /// Store of the items' own results.
  package let store: ResultStore

  /// A page of `batch`.
  package init(batch: BatchOutcome, store: ResultStore) {
    self.batch = batch
    self.store = store
  }

  /// How many pages `items` items take besides the index; 0 when a single page holds all.
  package static func pages(items: Int) -> Int {
    items <= limit ? 0 : (items + limit - 1) / limit
  }

  /// A single file; of too many items it has those that failed first, then those that are degraded. Paths in
  /// it are relative to `links`.
  /// - Throws: what reading an entry throws.
  package func single(links: PageLinks) throws -> String {
    let entries = try chosen()
    var title = "Batch \(batch.head.source)"
    if entries.count < batch.entries.count {
      title += ": \(entries.count) of \(batch.entries.count) items"
    }
    return ReportPage(items: entries.flatMap(items), title: title, links: links).html()
  }

  /// Writes the pages and then the index.
  /// - Parameters:
  ///   - links: links of the pages.
  ///   - index: where the index is, as the pages link to it.
  ///   - address: where the page with a number, from 1, is, as the index links to it.
  ///   - sibling: where it is, as the other pages link to it.
  ///   - write: takes a page's number, 0 for the index, and its content.
  /// - Throws: what reading an entry or `write` throws.
  package func several(
    links: PageLinks, index: String, address: (Int) -> String, sibling: (Int) -> String,
    to write: (Int, String) throws -> Void
  ) throws {
    let count = BatchPage.pages(items: batch.entries.count)
    var pages: [BatchIndex.Page] = []
    var faults: [BatchIndex.Fault] = []
    var tally = OutcomeTally()
    for number in 1...max(1, count) {
      var page = BatchIndex.Page(address: address(number))
      var entries: [BatchReport.Entry] = []
      let first = (number - 1) * BatchPage.limit
      for place in first..<min(batch.entries.count, first + BatchPage.limit) {
        let entry = try batch.entries[place]
        page.add(entry)
        tally.add(entry)
        entries.append(entry)
      }
      let shown = ReportPage.ordered(entries.flatMap(items))
      for (place, entry) in failed(entries, on: shown) where faults.count < BatchIndex.mostFaults {
        let anchor = ReportPage.anchor(place)
        faults.append(BatchIndex.Fault(entry, address: page.address + "#" + anchor))
      }
      var report = ReportPage(
        items: shown, title: "Batch \(batch.head.source): page \(number) of \(count)", links: links)
      report.navigation = [("All pages", index)]
      if number > 1 { report.navigation.append(("Previous page", sibling(number - 1))) }
      if number < count { report.navigation.append(("Next page", sibling(number + 1))) }
      try write(number, report.html())
      pages.append(page)
    }
    try write(0, BatchIndex(batch.head, pages: pages, faults: faults, tally: tally).html())
  }

  /// Entries that aren't done, with the place of each one's first report among `shown`.
  private func failed(
    _ entries: [BatchReport.Entry], on shown: [ReportItem]
  ) -> [(place: Int, entry: BatchReport.Entry)] {
    let places = Dictionary(
      shown.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    return entries.filter { !$0.isDone }.compactMap { entry in
      places[entry.id].map { ($0, entry) }
    }
  }

  /// The reports of an entry.
  package func items(_ entry: BatchReport.Entry) -> [ReportItem] {
    guard let report = store.read(entry.id), report.status != .started else {
      return ReportItem.items(of: unknown(entry))
    }
    return ReportItem.items(of: report)
  }

  private func chosen() throws -> [BatchReport.Entry] {
    var ranked: [[BatchReport.Entry]] = [[], [], []]
    let isShort = batch.entries.count <= BatchPage.limit
    try batch.entries.forEach { entry in
      let rank = isShort || !entry.isDone ? 0 : entry.degradations.isEmpty ? 2 : 1
      if ranked[rank].count < BatchPage.limit { ranked[rank].append(entry) }
    }
    return Array(ranked.joined().prefix(BatchPage.limit))
  }

  /// A report for an item without a result.
  private func unknown(_ entry: BatchReport.Entry) -> ItemReport {
    var item = ItemReport(id: entry.id, input: entry.input, job: "")
    item.fail(
      kind: entry.error?.kind ?? entry.status.rawValue, exit: entry.exit,
      message: entry.error?.message ?? "it has no result: it wasn't done")
    return item
  }
}
