// SPDX-License-Identifier: Apache-2.0

/// The page that leads to the pages of a batch with many items.
package struct BatchIndex {
  /// A page with some of the batch's items.
  package struct Page {
    /// Address of the page, relative to the index, percent-encoded.
    package let address: String
    /// Id of its first item.
    package var first = ""
    /// Id of its last item.
    package var last = ""
    /// Numbers of its items by their outcome.
    package var counts = BatchReport.Counts()

    /// A page without items.
    package init(address: String) { self.address = address }

    /// Counts one more item.
    package mutating func add(_ entry: BatchReport.Entry) {
      if counts.total == 0 { first = entry.id }
      last = entry.id
      counts.add(entry)
    }
  }

  /// An item that isn't done.
  package struct Fault {
    /// Its id.
    package let id: String
    /// Address of the page that shows it, relative to the index.
    package let address: String
    /// Its exit code.
    package let exit: Int32
    /// Why it isn't done.
    package let why: String

    /// The fault of an item.
    package init(_ entry: BatchReport.Entry, address: String) {
      id = entry.id
      self.address = address
      exit = entry.exit
      why = entry.error?.message ?? "stopped before it was done"
    }
  }

  /// Most items that aren't done which the index lists; the pages have all.
  package static let mostFaults = 500

  private let head: BatchReport
  private let pages: [Page]
  private let faults: [Fault]
  private let tally: OutcomeTally

  /// An index of `pages`; `head` has the counts of all items, `faults` those that aren't done, and `tally` what
  /// became of all.
  package init(_ head: BatchReport, pages: [Page], faults: [Fault], tally: OutcomeTally) {
    self.head = head
    self.pages = pages
    self.faults = faults
    self.tally = tally
  }

  /// The whole file.
  package func html() -> String {
    let counts = head.counts
    return PageFrame(
      name: "Batch \(head.source)",
      subtitle:
        "Pinna, batch: \(PageText.count(counts.total, "item")) on \(PageText.count(pages.count, "page"))",
      main: [outcome, overview, faultsFound, pagesFound].compactMap { $0 }, hasScript: true,
      footer:
        "Items stand on the pages in the order of the batch, on each page those that failed first."
    ).html()
  }

  private var outcome: Markup? {
    tally.markup(SectionContext(id: "all", level: 2, links: .none, isSmall: true))
  }

  private var overview: Markup {
    let counts = head.counts
    return section(
      "overview", "Overview",
      PageTable.facts(
        "Overview",
        [
          ("Items", counts.total), ("Done", counts.done), ("Done before", counts.cached),
          ("Degraded", counts.degraded), ("Failed", counts.failed), ("Missing", counts.missing),
          ("Not done", counts.stopped), ("Left aside", head.skipped.count),
        ].map { ($0, $1 == 0 ? nil : Markup(PageText.count(Int64($1)))) }
      ).markup)
  }

  private var faultsFound: Markup? {
    guard !faults.isEmpty else { return nil }
    let rows = faults.prefix(BatchIndex.mostFaults).map { fault -> [PageTable.Cell] in
      [
        .init(Markup("a", ["href": fault.address], [.name(fault.id)]), key: fault.id),
        .init("\(fault.exit)"), .init(fault.why),
      ]
    }
    let counts = head.counts
    let more = counts.total - counts.done - rows.count
    let rest =
      more > 0
      ? [Markup("p", ["class": "note"], text: "… and \(PageText.count(more, "more item"))")] : []
    return section(
      "faults", "Items that aren't done",
      PageTable(
        caption: "Items that aren't done",
        columns: [.words("Item"), .figures("Exit"), .words("Why")], rows: Array(rows),
        isSortable: true, hidesCaption: true
      ).markup, rest)
  }

  private var pagesFound: Markup? {
    let rows = pages.enumerated().map { index, page -> [PageTable.Cell] in
      [
        .init(
          Markup("a", ["href": page.address], text: "Page \(index + 1)"), key: "\(index + 1)"),
        .init(.name(page.first)), .init(.name(page.last)),
        .init(PageText.count(Int64(page.counts.total)), key: "\(page.counts.total)"),
        .init(
          PageText.count(Int64(page.counts.total - page.counts.done)),
          key: "\(page.counts.total - page.counts.done)"),
        .init(PageText.count(Int64(page.counts.degraded)), key: "\(page.counts.degraded)"),
      ]
    }
    return section(
      "pages", "Pages",
      PageTable(
        caption: "Pages",
        columns: [
          .words("Page"), .words("First item"), .words("Last item"), .figures("Items"),
          .figures("Not done"), .figures("Degraded"),
        ], rows: rows, isSortable: true, hidesCaption: true
      ).markup)
  }

  private func section(
    _ id: String, _ title: String, _ content: Markup, _ more: [Markup] = []
  ) -> Markup {
    Markup(
      "section", ["aria-labelledby": id],
      [Markup("h2", ["id": id], text: title), content] + more)
  }
}
