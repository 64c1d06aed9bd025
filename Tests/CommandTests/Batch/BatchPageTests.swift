// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The page of a batch, and pages of its items.
@Suite(.tags(.system), .fullRunOnly) struct BatchPageTests {
  @Test("the page of a batch shows each item with a link to its output")
  func everyItemIsOnThePageAndLinksLeadToTheOutputs() throws {
    let place = try BatchFolder()
    try place.programme("a.wav")
    try place.programme("b & c.wav")
    try Data("no sound".utf8).write(to: URL(fileURLWithPath: place.folder.file("in/bad.wav")))
    let page = place.folder.file("page.html")
    let result = try place.batch(nil, ["--html", page, "--junit", place.folder.file("j.xml")])
    #expect(result.status == 10, "\(result.errors)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    for word in ["a.wav", "b &amp; c.wav", "bad.wav", "out/a.wav", "out/b%20%26%20c.wav"] {
      #expect(text.contains(word), "\(word)")
    }
    #expect(text.contains("3 reports") || text.contains("Batch"))
    // The results of the items give the same page.
    let items = try FileManager.default.contentsOfDirectory(
      atPath: place.folder.file("out/.pinna/items"))
    let again = try Product.run(
      ["report"] + items.sorted().map { place.folder.file("out/.pinna/items/" + $0) } + [
        "-o", "-",
      ])
    #expect(again.status == 0, "\(again.errors)")
    let other = String(decoding: again.output, as: UTF8.self)
    #expect(other.contains("bad.wav") && other.contains("b &amp; c.wav"))
  }

  /// Rows of the CSV file, and failures at the top of the page although their names come last.
  @Test("the CSV of a batch has a row for each output, and the page begins with what failed")
  func theTableHasARowForEachOutput() throws {
    let place = try BatchFolder()
    try place.programme("a.wav")
    try place.programme("b.wav")
    try Data("no sound".utf8).write(to: URL(fileURLWithPath: place.folder.file("in/z.wav")))
    let (page, table) = (place.folder.file("page.html"), place.folder.file("batch.csv"))
    let flags = ["--html", page, "--csv", table]
    #expect(try place.batch(nil, flags).status == 10)
    let text = try String(contentsOfFile: table, encoding: .utf8)
    let rows = text.components(separatedBy: "\r\n").dropLast().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.map(\.[0]) == ["item", "a.wav", "b.wav", "z.wav"])
    #expect(rows.map(\.[1]) == ["status", "ok", "ok", "error"])
    #expect(rows[1][3] == "a.wav" && Double(rows[1][5]) != nil && Double(rows[1][11]) != nil)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    let places = ["z.wav", "a.wav", "b.wav"].compactMap {
      html.range(of: "<bdi>\($0)</bdi></a>")?.lowerBound
    }
    #expect(places.count == 3 && places == places.sorted())
    // A later run replaces its own table, and not another file.
    #expect(try place.batch(nil, flags).status == 10)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: table))
    let refused = try place.batch(nil, flags)
    #expect(refused.status == 6 && refused.errors.contains("batch.csv"), "\(refused.errors)")
  }

  @Test("502 items get two pages; 499 items get one page, and the others are removed")
  func manyItemsGetPagesAndFewAgainLeaveNone() async throws {
    let place = try BatchFolder()
    try place.programme("0.wav", seconds: 0.02)
    let first = place.folder.url("in/0.wav")
    for number in 1...501 {
      try FileManager.default.linkItem(at: first, to: place.folder.url("in/\(number).wav"))
    }
    let page = place.folder.file("page.html")
    let pages = place.folder.file("page.pages")
    try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: false)
    let foreign = pages + "/2.html"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
    let flags = ["-e", "none", "--html", page]
    let refused = try await place.refusal(nil, flags)
    #expect(
      refused.status == 6 && refused.errors.contains("page.pages/2.html"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: place.folder.file("out/0.wav")))

    // One shard is rendered; merge shows the items of the others as missing.
    try FileManager.default.removeItem(atPath: foreign)
    #expect(try place.batch(nil, ["-e", "none", "--shard", "1/100"]).status == 0)
    let merge =
      ["merge", place.folder.file("in"), "-O", place.folder.file("out"), "--json"] + flags
    let merged = BatchOutcome(try Product.run(merge))
    #expect(merged.status == 10 && merged.ids.count == 502, "\(merged.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: pages).sorted()
    #expect(names == ["1.html", "2.html"])
    let texts = try names.map { try String(contentsOfFile: pages + "/" + $0, encoding: .utf8) }
    let shown = texts.map { text in merged.ids.count { text.contains("<bdi>\($0)</bdi>") } }
    #expect(shown == [500, 2])
    #expect(texts.allSatisfy { $0.contains("href=\"../page.html\"") })
    // The index counts what became of all items, and its links lead to those that failed.
    let index = try String(contentsOfFile: page, encoding: .utf8)
    #expect(index.contains("Failures and degradations by code") && index.contains("of 502 items"))
    for match in index.matches(of: /href="page\.pages\/([12])\.html#(r\d+)"><bdi>([^<]+)</) {
      let (number, anchor, id) = (match.output.1, match.output.2, match.output.3)
      #expect(texts[number == "1" ? 0 : 1].contains("href=\"#\(anchor)\"><bdi>\(id)<"))
    }
    let done = merged.ids.filter { merged.state($0) == "ok" }
    #expect(!done.isEmpty && done.count == merged.counts["done"])
    for id in done { #expect(texts.joined().contains("href=\"../out/\(id)\"")) }

    // With fewer items one page is enough, and the pages are removed.
    for number in [7, 8, 9] {
      try FileManager.default.removeItem(at: place.folder.url("in/\(number).wav"))
    }
    try FileManager.default.removeItem(at: place.folder.url("out/.pinna/shards"))
    let again = BatchOutcome(try await InProcess.run(merge))
    #expect(again.status == 10 && again.ids.count == 499, "\(again.errors)")
    #expect(!FileManager.default.fileExists(atPath: pages))
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("<bdi>500.wav</bdi>"))
  }

  @Test("one report may go to standard output; two are refused")
  func oneReportMayGoToStandardOutput() throws {
    let place = try BatchFolder()
    try place.programme("a.wav")
    let told = try place.batch(nil, ["--markdown", "-", "-q"])
    #expect(told.status == 0, "\(told.errors)")
    #expect(String(decoding: told.output, as: UTF8.self).hasPrefix("## "))
    let both = try place.batch(nil, ["--markdown", "-", "--json"])
    #expect(both.status == 2 && both.errors.contains("standard output"))
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }
}
