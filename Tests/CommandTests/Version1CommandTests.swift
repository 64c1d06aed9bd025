// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Files of report version 1 still work: pages are made of them, and batches are merged.
@Suite(.tags(.system), .fullRunOnly) struct Version1CommandTests {
  private let place: BatchFolder

  init() throws { place = try BatchFolder() }

  private static func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Schemas/Report1/\(name).json")
  }

  @Test("report reads reports of version 1")
  func pagesAreMadeOfThem() throws {
    let names = ["two-outputs", "downmix", "dry-run", "copy", "failed"]
    let result = try Product.run(
      ["report"] + names.map { Version1CommandTests.fixture($0).path } + ["--markdown", "-"])
    #expect(result.status == 0, "\(result.errors)")
    let text = String(decoding: result.output, as: UTF8.self)
    for words in ["5 reports: 1 failed", "lfe-dropped", "film.mkv → b.wav", "−16.0"] {
      #expect(text.contains(words), "\(words): \(text)")
    }
  }

  @Test("merge reads items of version 1")
  func itemsAreMerged() throws {
    try place.programme("a.wav")
    #expect(try place.batch().status == 0)
    let items = place.folder.file("out/.pinna/items")
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: items).first)
    let url = URL(fileURLWithPath: items + "/" + name)
    var item = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    item["reports"] = [
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: Version1CommandTests.fixture("downmix")))
    ]
    try JSONSerialization.data(withJSONObject: item).write(to: url)
    let merged = BatchOutcome(
      try Product.run(
        ["merge", place.folder.file("in"), "-O", place.folder.file("out"), "--json"]))
    #expect(merged.status == 0 && merged.counts["done"] == 1, "\(merged.errors)")
    #expect(merged.counts["degraded"] == 1)
    let page = try Product.run(["report", url.path, "--markdown", "-"])
    #expect(String(decoding: page.output, as: UTF8.self).contains("lfe-dropped"))
  }
}
