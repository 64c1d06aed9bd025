import Report

/// A batch as one HTML page: an overview that can be sorted, and each item's plots and tables.
package struct BatchPage {
  /// Most items on a page; with more, those that failed and then those that are degraded come first.
  package static let limit = 500

  /// The batch.
  package let batch: BatchReport
  /// Where the items' own results lie.
  package let store: ResultStore

  /// A page of `batch`.
  package init(batch: BatchReport, store: ResultStore) {
    self.batch = batch
    self.store = store
  }

  /// The whole file; paths in it are relative to `links`.
  package func html(links: PageLinks) -> String {
    let entries = chosen
    let items = entries.flatMap { entry -> [ReportItem] in
      guard let report = store.read(entry.id), report.status != .started else {
        return ReportItem.items(of: unknown(entry))
      }
      return ReportItem.items(of: report)
    }
    var title = "Batch \(batch.source)"
    if entries.count < batch.items.count {
      title += ": \(entries.count) of \(batch.items.count) items"
    }
    return ReportPage(items: items, title: title, links: links).html()
  }

  private var chosen: [BatchReport.Entry] {
    guard batch.items.count > BatchPage.limit else { return batch.items }
    func rank(_ entry: BatchReport.Entry) -> Int {
      entry.isDone ? entry.degradations.isEmpty ? 2 : 1 : 0
    }
    let ranked = batch.items.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    return ranked.prefix(BatchPage.limit).map(\.element)
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
