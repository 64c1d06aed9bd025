// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import TestSupport
import Testing

@testable import Batch

@Suite struct ResultStoreTests {
  private let folder: TemporaryFolder
  private let store: ResultStore

  init() throws {
    folder = try TemporaryFolder()
    store = ResultStore(root: folder.path)
    try store.prepare()
  }

  @Test("a stored result is read back")
  func whatIsStoredIsRead() throws {
    var report = ItemReport(id: "a/b ü", input: "a/b", job: "j")
    report.fail(kind: "crashed", exit: 1, message: "m")
    try store.write(report)
    #expect(store.read("a/b ü") == report)
    #expect(store.read("a/b u") == nil)
  }

  @Test("ids that differ in a sign have different files")
  func idsThatLookAlikeHaveTheirOwnFiles() {
    let ids = ["a/b", "a_b", "a b", "A/b", "", String(repeating: "x", count: 5000), "..", "\n"]
    let places = ids.map { ResultStore.place($0) }
    #expect(Set(places).count == ids.count)
    for place in places {
      #expect(place.utf8.count < 120 && place.split(separator: "/").count == 3)
      #expect(!place.contains("..") || place.contains("..-"))
    }
  }

  @Test(
    "a damaged result counts as none",
    arguments: ["", "{}", "{\"schema\":\"pinna.item/2\",\"id\":\"x\"}", "\u{0}garbage"])
  func damagedResultsCountAsNone(text: String) throws {
    try Data(text.utf8).write(to: folder.url(ResultStore.place("x")))
    #expect(store.read("x") == nil)
  }
}
