// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Dialogue and levelling in queues: each item must get what its file gets alone, and a queue of one item what the file gets.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: SpokenCases.areHere, "the cases of ../shared/dialogue aren't here"))
struct QueueDialogueTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(
    _ input: [String], _ output: String, _ options: [String], status: Int32 = 0
  ) throws -> [String: Any] {
    let result = try Product.run(
      ["render"] + input + ["-o", folder.file(output), "-e", "none", "-y", "-q", "--json"]
        + options)
    #expect(result.status == status, "\(result.errors)")
    return try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
  }

  private func items(_ report: [String: Any]) -> [[String: Any]] {
    (report["queue"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
  }

  private func codes(_ report: [String: Any]) -> [String] {
    (report["degradations"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  private func loudness(_ report: [String: Any], _ output: Int = 0) -> [String: Any] {
    let outputs = report["outputs"] as? [[String: Any]] ?? []
    return outputs.indices.contains(output)
      ? outputs[output]["loudness"] as? [String: Any] ?? [:] : [:]
  }

  private func planes(_ name: String) throws -> [[Float]] {
    try #require(WAVPlanes(try Data(contentsOf: folder.url(name)))).planes
  }

  private static let film = SpokenCases.path("06-film-5.1")
  private static let steps = SpokenCases.path("08-whisper-normal-explosion")

  @Test(
    "a queue of one item has the samples of the file alone",
    arguments: [
      ["-l", "-27", "--anchor", "dialogue"], ["--level", "night"],
      ["--level", "train", "--anchor", "dialogue", "-l", "-24"],
    ])
  func oneItemIsTheFile(options: [String]) throws {
    let queued = try report(["--join", Self.steps], "queue.wav", options)
    let alone = try report([Self.steps], "alone.wav", options)
    #expect(items(queued).count == 1)
    #expect(try planes("queue.wav") == planes("alone.wav"))
    let (own, other) = (loudness(queued), loudness(alone))
    #expect(own["anchor"] as? String == other["anchor"] as? String)
    let figures = [own, other].map {
      ($0["dialogue"] as? [String: Any])?["dialogueLoudness"] as? Double
    }
    #expect(figures[0] != nil && figures[0] == figures[1])
  }

  @Test("the dialogue of a whole queue is brought to the target, as that of the joined file is")
  func wholeQueuesHaveTheirDialogueAtTheTarget() throws {
    let options = ["-l", "-27", "--anchor", "dialogue"]
    let report = try report(["--join", Self.steps, Self.steps], "out.wav", options)
    #expect(loudness(report)["anchor"] as? String == "dialogue")
    // The written file is searched anew, by itself.
    let measured = try Product.run(["measure", folder.file("out.wav"), "--dialogue", "--json"])
    let json = try JSONSerialization.jsonObject(with: measured.output) as? [String: Any]
    let dialogue = json?["dialogue"] as? [String: Any]
    #expect(abs((dialogue?["dialogueLoudness"] as? Double ?? 0) + 27) < 0.1)
  }

  @Test("each item gets the gain and the curve of its file alone")
  func itemsAreAsTheirFiles() throws {
    // Both have one rate; the stereo one keeps its two channels in the queue's 5.1.
    let names = [Self.steps, Self.film]
    let options = ["-l", "-24", "--anchor", "dialogue", "--level", "night", "-b", "32f"]
    let report = try report(["--join"] + names, "out.wav", options + ["--queue-loudness", "item"])
    let items = items(report)
    try #require(items.count == 2)
    #expect(report["level"] == nil || report["level"] is NSNull)
    for (name, item) in zip(names, items) {
      let alone = try self.report([name], "alone.wav", options)
      #expect(item["anchor"] as? String == "dialogue")
      let curves = [alone["level"], item["level"]].map {
        ($0 as? [String: Any])?["gain"] as? [Double]
      }
      #expect(curves[0] != nil && curves[0] == curves[1])
      let outputs = alone["outputs"] as? [[String: Any]]
      let gain = try #require(outputs?.first?["gainDB"] as? Double)
      #expect(abs(try #require(item["loudnessGainDB"] as? Double) - gain) < 1e-9)
      #expect(abs((item["outputDialogue"] as? Double ?? 0) + 24) < 0.05)
    }
  }

  @Test("an item without enough dialogue is brought to the target of the whole, and named")
  func itemsWithoutDialogueAreNamed() throws {
    let names = [SpokenCases.path("14-sparse"), SpokenCases.path("17-two-levels")]
    let options = [
      "-l", "-27", "--anchor", "dialogue", "--programme-loudness", "-24", "--queue-loudness",
      "item",
    ]
    let report = try report(["--join"] + names, "out.wav", options)
    let items = items(report)
    try #require(items.count == 2)
    #expect(items[0]["anchor"] == nil && items[1]["anchor"] as? String == "dialogue")
    #expect(abs((items[0]["outputIntegrated"] as? Double ?? 0) + 24) < 0.05)
    #expect(abs((items[1]["outputDialogue"] as? Double ?? 0) + 27) < 0.05)
    #expect(codes(report).contains("dialogue-not-found"))
    let strict = try self.report(
      ["--join"] + names, "strict.wav", options + ["--strict"], status: 9)
    #expect(strict["status"] as? String == "error")
  }

  @Test("tracks cut out of a levelled queue have the samples of the whole")
  func tracksHaveTheWholesCurve() throws {
    let names = [Self.steps, Self.steps]
    // A level that needs no limiter: its look-ahead begins anew in each track.
    let options = ["--level", "train", "-l", "-34", "--anchor", "dialogue", "-b", "32f", "--album"]
    _ = try report(["--join"] + names, "whole.wav", options)
    try FileManager.default.createDirectory(
      at: folder.url("tracks"), withIntermediateDirectories: false)
    _ = try report(["--join"] + names, "tracks", options)
    let whole = try planes("whole.wav")[0]
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("tracks"))
      .sorted().filter { $0.hasSuffix(".wav") }
    try #require(files.count == 2)
    let tracks = try files.map { try planes("tracks/" + $0)[0] }
    #expect(tracks.joined().count == whole.count)
    let gap = zip(tracks.joined(), whole).map { abs($0 - $1) }.max() ?? 1
    #expect(gap < 1e-6)
  }

  @Test("rendered items that come from the cache are searched all the same")
  func cachedItemsAreSearched() throws {
    let options = ["-l", "-27", "--anchor", "dialogue", "--cache", folder.file("cache")]
    _ = try report(["--join", Self.steps, Self.steps], "first.wav", options)
    let second = try report(["--join", Self.steps, Self.steps], "second.wav", options)
    #expect(loudness(second)["anchor"] as? String == "dialogue")
    #expect(try planes("first.wav") == planes("second.wav"))
  }
}
