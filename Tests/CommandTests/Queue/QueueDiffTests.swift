// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna queue diff` tells which samples change, and guards those before a time.
@Suite(.tags(.system), .fullRunOnly) struct QueueDiffTests {
  private let place: QueueFolder
  private let old: String

  init() throws {
    place = try QueueFolder()
    old = try place.queue("old.yaml", ["file: a.wav", "file: c.wav", "file: b.wav"])
  }

  private func diff(_ new: String, _ extra: [String] = []) async throws -> [String: Any] {
    try await place.json(["diff", old, new, "--reach", "0s"] + extra)
  }

  private func changes(_ report: [String: Any]) throws -> [[String]] {
    let changes = try #require(report["changes"] as? [[String: Any]])
    return changes.map { change in
      ["\(change["from"] ?? "")", "\(change["to"] ?? "")", "\(change["why"] ?? "")"]
    }
  }

  @Test("queues with the same content have no change, however their files are named")
  func equalQueuesHaveNoChange() async throws {
    let report = try await diff(old, ["--expect-unchanged-before", "1:00:00"])
    #expect(try changes(report).isEmpty && report["firstChangedSample"] == nil)
    // Equal files named from another folder are the same.
    let inner = place.folder.url("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let again = place.folder.file("inner/../old.yaml")
    #expect(try await changes(diff(again)).isEmpty)
    // So are the files of their taps.
    try Data("Preamp: -3 dB\n".utf8).write(to: place.folder.url("e.txt"))
    try place.queue("tapped.yaml", ["file: a.wav, tap: 'item:eq=e.txt'", "file: b.wav"])
    let tapped = try await place.json([
      "diff", place.folder.file("tapped.yaml"), place.folder.file("inner/../tapped.yaml"),
      "--reach", "0s",
    ])
    #expect(try changes(tapped).isEmpty)
  }

  @Test("queue diff names the samples and the reason of each change")
  func reasonsAndPlacesOfChanges() async throws {
    for (items, expected) in [
      (
        ["file: a.wav", "file: c.wav, gain: -1", "file: b.wav"],
        [["88200", "176400", "item-changed"]]
      ),
      (
        ["file: a.wav", "file: c.wav, fade-in: 0.5s", "file: b.wav"],
        [["88200", "110250", "item-changed"]]
      ),
      (["file: a.wav", "file: c.wav"], [["176400", "220500", "item-removed"]]),
      (
        ["file: a.wav", "file: c.wav", "file: b.wav", "silence: 1s"],
        [["220500", "264600", "item-new"]]
      ),
    ] as [([String], [[String]])] {
      let new = try place.queue("new.yaml", items)
      #expect(try await changes(diff(new)) == expected, "\(items)")
    }
    let rate = try place.queue("new.yaml", ["file: a.wav"], head: "rate: 48000\n")
    #expect(try await changes(diff(rate)).first == ["0", "220500", "setting"])
  }

  @Test("a change reaches a tenth of a second over the item's border by default")
  func filtersReachOverBorders() async throws {
    let new = try place.queue("new.yaml", ["file: a.wav", "file: c.wav, gain: -1", "file: b.wav"])
    let report = try await place.json(["diff", old, new])
    #expect(report["reach"] as? Int == 4410 && report["firstChangedSample"] as? Int == 83_790)
  }

  @Test("a change before --expect-unchanged-before ends with exit code 7")
  func changesBeforeATimeAreRefused() async throws {
    let new = try place.queue("new.yaml", ["file: a.wav", "file: c.wav, gain: -1", "file: b.wav"])
    let arguments = ["queue", "diff", old, new, "--reach", "0s", "--expect-unchanged-before"]
    #expect(try await InProcess.run(arguments + ["2s"]).status == 0)
    #expect(try await InProcess.run(arguments + ["88200S"]).status == 0)
    let failed = try await InProcess.run(arguments + ["88201S"])
    #expect(failed.status == 7 && failed.errors.contains("sample 88200 (00:00:02.000)"))
    #expect(failed.errors.split(separator: "\n").count == 1)
    #expect(try await InProcess.run(arguments + ["soon"]).status == 2)
    #expect(
      try await place.refusal(["diff", old, place.folder.file("no.yaml")], status: 3).contains(
        "no.yaml"))
  }
}
