import Foundation
import TestSupport
import Testing

/// The page of a batch, and pages of its items.
@Suite(.tags(.system), .fullRunOnly) struct BatchPageTests {
  @Test func everyItemIsOnThePageAndLinksLeadToTheOutputs() throws {
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

  @Test func manyItemsGetPagesAndFewAgainLeaveNone() throws {
    let place = try BatchFolder()
    try place.programme("0.wav", seconds: 0.02)
    let first = place.folder.url("in/0.wav")
    for number in 1...500 {
      try FileManager.default.linkItem(at: first, to: place.folder.url("in/\(number).wav"))
    }
    let page = place.folder.file("page.html")
    let pages = place.folder.file("page.pages")
    try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: false)
    let foreign = pages + "/2.html"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
    let flags = ["-e", "none", "--html", page]
    let refused = try place.batch(nil, flags)
    #expect(
      refused.status == 6 && refused.errors.contains("page.pages/2.html"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: place.folder.file("out/0.wav")))

    try FileManager.default.removeItem(atPath: foreign)
    let report = try place.report(nil, flags)
    #expect(report.status == 0, "\(report.errors)")
    #expect(report.counts["done"] == 501 && report.worked.count == 501)
    let names = try FileManager.default.contentsOfDirectory(atPath: pages).sorted()
    #expect(names == ["1.html", "2.html"])
    let last = try String(contentsOfFile: foreign, encoding: .utf8)
    let shown = try #require(report.ids.last)
    #expect(last.contains("<bdi>\(shown)</bdi>") && last.contains("href=\"../page.html\""))
    #expect(last.contains("href=\"../out/\(shown)\""))

    // Nothing is done again. With fewer items one page is enough, and the pages are removed.
    for number in [7, 8] {
      try FileManager.default.removeItem(at: place.folder.url("in/\(number).wav"))
    }
    let again = try place.report(nil, flags)
    #expect(again.status == 0 && again.worked.isEmpty && again.counts["cached"] == 499)
    #expect(!FileManager.default.fileExists(atPath: pages))
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("<bdi>500.wav</bdi>"))
  }

  @Test func oneReportMayGoToStandardOutput() throws {
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
