// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import Batch

/// Batches with more items than memory or one page would hold.
@Suite struct BatchScaleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Items `i0`, `i1` and so on, with two of them in an album.
  private func items(_ count: Int) -> [BatchItem] {
    (0..<count).map { number in
      let name = "i\(number)"
      let render = BatchItem.Render(
        options: [[]], outputs: [name + ".wav"], endpoints: ["channels"], files: [name + ".wav"])
      return BatchItem(
        id: name, input: name + ".flac", source: "/in/\(name).flac", renders: [render],
        album: number == 1 || number == 3 ? "both" : nil, golden: nil, isDeterministic: false)
    }
  }

  /// An entry; each seventh failed, and each hundredth has the longest standard error.
  private func entry(_ item: BatchItem, _ number: Int) -> BatchReport.Entry {
    var report = ItemReport(id: item.id, input: item.input, job: item.job)
    report.status = .ok
    report.files = [ItemReport.File(path: item.id + ".wav", bytes: 1, sha256: "0a")]
    if number % 7 == 0 {
      report.fail(kind: "crashed", exit: 1, message: "\(item.id): \"ended\"\nwithout a word")
    }
    if number % 100 == 0 { report.stderr = String(repeating: "a line [1, 2]\n", count: 585) }
    return BatchReport.Entry(report, cached: number % 2 == 0, result: ResultStore.place(item.id))
  }

  /// The ledger's outcome and the entries that it was given; each eleventh item has none.
  private func outcome(_ count: Int) throws -> (BatchOutcome, [BatchReport.Entry]) {
    let items = items(count)
    let ledger = EntryLedger(items: items)
    var entries = items.map {
      BatchReport.Entry(
        id: $0.id, input: $0.input, status: .stopped, result: ResultStore.place($0.id))
    }
    // Entries come as workers finish, which isn't the batch's order.
    for number in (0..<count).reversed() where number % 11 != 5 {
      entries[number] = entry(items[number], number)
      try ledger.record(entries[number], at: number)
    }
    let plan = BatchPlan(root: folder.path, source: "in", items: items, skipped: ["x": "hidden"])
    return (try ledger.outcome(of: plan, version: "1", shard: nil), entries)
  }

  // The larger one has 1.5 MB of entries, so that most of them lie on the disk.
  @Test(
    "a report that is written entry by entry is the one that is encoded whole",
    arguments: [0, 1, 40, 12_345])
  func theReportIsWhatEncodingItWholeWouldGive(count: Int) throws {
    let (outcome, entries) = try outcome(count)
    var text = ""
    try BatchJSON.write(outcome) { text += $0 }
    var whole = outcome.head
    whole.items = entries
    #expect(try text == ReportJSON.pretty(whole))
    let read = try JSONDecoder().decode(BatchReport.self, from: Data(text.utf8))
    #expect(read == whole)
    #expect(read.counts.total == count)
    #expect(read.counts.failed == entries.count { $0.status == .error })
    #expect(read.counts.stopped == entries.count { $0.status == .stopped })
    #expect(read.counts.done == entries.count { $0.isDone })
    #expect(read.counts.cached == entries.count { $0.cached })
  }

  @Test("JUnit XML has one test case for each item, with the failures and skips counted")
  func everyItemIsATestCase() throws {
    let (outcome, entries) = try outcome(1201)
    var text = ""
    try BatchJUnit.write(outcome) { text += $0 }
    let failures = entries.count { $0.status == .error }
    let skipped = entries.count { $0.status == .stopped }
    #expect(text.ranges(of: "<testcase ").count == 1201)
    #expect(text.ranges(of: "<failure ").count == failures)
    #expect(
      text.ranges(of: "tests=\"1201\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\"")
        .count == 2)
    #expect(XMLParser(data: Data(text.utf8)).parse())
  }

  /// Names of items on a page.
  private func names(_ page: String) -> Set<String> {
    let parts = page.components(separatedBy: "<bdi>i").dropFirst()
    return Set(parts.map { "i" + $0.prefix { $0.isNumber } })
  }

  @Test("1,201 items stand on three pages, whose index links to each item that failed")
  func manyItemsStandOnPagesOfFiveHundred() throws {
    let (outcome, entries) = try outcome(1201)
    let store = ResultStore(root: folder.path)
    try store.prepare()
    // An item with two renders has two parts on its page.
    var double = ItemReport(id: "i502", input: "i502.flac", job: "")
    double.status = .ok
    let render = RenderReport(
      toolchain: RenderReport.Toolchain(pinna: "", libavcodec: "", cpu: []))
    double.reports = [render, render]
    try store.write(double)
    var files: [Int: String] = [:]
    var order: [Int] = []
    try BatchPage(batch: outcome, store: store).several(
      links: .none, index: "../p.html", address: { "p.pages/\($0).html" }, sibling: { "\($0).html" }
    ) { number, text in
      files[number] = text
      order.append(number)
    }
    #expect(order == [1, 2, 3, 0])
    let shown = (1...3).map { names(files[$0] ?? "") }
    #expect(shown.map(\.count) == [500, 500, 201])
    for (number, entry) in entries.enumerated() {
      let holders = shown.indices.filter { shown[$0].contains(entry.id) }
      #expect(holders == [number / 500], "\(entry.id)")
    }
    let index = try #require(files[0])
    for page in 1...3 {
      #expect(index.contains("href=\"p.pages/\(page).html\""))
      #expect(files[page]?.contains("href=\"../p.html\"") == true)
    }
    #expect(files[1]?.contains("href=\"2.html\"") == true)
    #expect(files[1]?.contains("Previous page") == false)
    #expect(files[3]?.contains("Next page") == false)
    // Whoever follows a link of an item that isn't done finds that item.
    let faults = entries.filter { !$0.isDone }
    let links = index.matches(of: /href="p\.pages\/(\d)\.html#(r\d+)"><bdi>(i\d+)</)
    #expect(links.map { String($0.3) } == faults.map(\.id))
    for match in links {
      let number = try #require(Int(match.1))
      let page = try #require(files[number])
      let part = try #require(page.firstRange(of: "id=\"\(match.2)\""))
      #expect(page[part.upperBound...].prefix(200).contains("<bdi>\(match.3)</bdi>"), "\(match.3)")
    }
    #expect(XMLParser(data: Data(index.utf8)).parse())
  }

  @Test("500 items need no pages, 501 need two")
  func fewItemsNeedNoPages() {
    #expect(BatchPage.pages(items: 500) == 0)
    #expect(BatchPage.pages(items: 501) == 2)
    #expect(BatchPage.pages(items: 100_000) == 200)
  }

  @Test("work is handed out in order, an album once, and a retry after its delay")
  func workIsHandedOutInOrderAndAlbumsOnce() throws {
    var queue = WorkQueue(items(1201))
    #expect(queue.count == 1200)
    var taken: [[Int]] = []
    var retried: WorkQueue.Turn?
    while let turn = queue.next(at: 10) {
      queue.removeNext(at: 10)
      #expect(turn.unit.items.map(\.id) == turn.unit.numbers.map { "i\($0)" })
      taken.append(turn.unit.numbers)
      if turn.unit.numbers == [0], turn.attempt == 1 {
        retried = turn
        queue.retry(WorkQueue.Turn(unit: turn.unit, attempt: 2, notBefore: 5))
        queue.retry(WorkQueue.Turn(unit: turn.unit, attempt: 3, notBefore: 15))
      }
    }
    #expect(retried != nil)
    let rest = [[2]] + (4..<1201).map { [$0] }
    #expect(taken == [[0], [1, 3]] + rest + [[0]])
    #expect(queue.count == 1 && queue.next(at: 14) == nil && queue.next(at: 15)?.attempt == 3)
    queue.close()
    #expect(queue.count == 0 && queue.next(at: 99) == nil)
  }
}
