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
