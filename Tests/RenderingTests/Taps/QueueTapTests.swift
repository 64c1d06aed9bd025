import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Taps that a queue gives to single items.
@Suite struct QueueTapTests {
  private static let noise = (1...3).map { QueueCase.noise(2, 30_000, seed: UInt64($0)) }

  /// A queue file of three items, of which the second has `tap` as its lines.
  private func queue(_ test: QueueCase, _ tap: String) throws -> MediaLocation {
    for (index, planes) in Self.noise.enumerated() { try test.write("\(index).wav", planes) }
    return .file(
      try test.write(
        "q.yaml",
        """
        schema: pinna.queue/1
        items:
          - file: 0.wav
          - file: 1.wav
        \(tap)
          - file: 2.wav
        """))
  }

  private func gain(_ dB: Double) -> String {
    "Preamp: \(dB) dB\nFilter: ON PK Fc 1000 Hz Gain 0 dB Q 1\n"
  }

  private func isSame(_ one: [[Float]], _ other: [[Float]]) -> Bool { one == other }

  private func joined(_ factors: [Float]) -> [[Float]] {
    (0..<2).map { channel in
      zip(Self.noise, factors).flatMap { planes, factor in planes[channel].map { $0 * factor } }
    }
  }

  /// The item's own taps come before those of the request, and no other item passes them.
  @Test func oneItemPassesThem() async throws {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6.020599913279624))
    try test.write("high.txt", gain(6.020599913279624))
    let input = try queue(test, "    tap: item:eq=low.txt")
    let (planes, report) = try await test.render(input)
    #expect(near(planes, joined([1, 0.5, 1])))
    let tap = try #require(report.outputs[0].taps?.first)
    #expect(tap.items == [2] && tap.instances == 1 && tap.name == "low.txt")
    let high = test.folder.file("high.txt")
    let (both, second) = try await test.render(input, to: "both.wav") {
      $0.rendition.taps = [Tap(.item, .equalizer(path: high))]
    }
    #expect(near(both, joined([2, 1, 2])))
    #expect(second.outputs[0].taps?.map(\.name) == ["low.txt", "high.txt"])
    #expect(second.outputs[0].taps?.map(\.instances) == [1, 3])
    #expect(second.outputs[0].taps?.last?.items == nil)
  }

  private func near(_ one: [[Float]], _ other: [[Float]]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { one, other in
        one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 1e-6 }
      }
  }

  @Test func severalComeInTheirOrder() async throws {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6.020599913279624))
    let input = try queue(
      test, "    tap:\n      - item:eq=low.txt\n      - item:avfilter=volume=volume=4")
    let report = try await test.render(input).report
    #expect(report.outputs[0].taps?.map(\.kind) == ["eq", "avfilter"])
  }

  @Test func theRequestMayLeaveThemOut() async throws {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6))
    let input = try queue(test, "    tap: item:eq=low.txt")
    let (planes, report) = try await test.render(input) { $0.clip.joining.keepsTaps = false }
    #expect(isSame(planes, joined([1, 1, 1])) && report.outputs[0].taps == nil)
  }

  @Test(
    arguments: [
      ("post:eq=low.txt", "at the point item only"), ("item:eq=no.txt", "no.txt"),
      ("item:eq=../low.txt", "leads out"), ("eq=low.txt", "give POINT:KIND"),
      ("item:avfilter=loudnorm", "Pinna's own work"),
    ]) func wrongOnesAreNamed(text: String, words: String) async throws
  {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6))
    let input = try queue(test, "    tap: \(text)")
    let error = try await test.failure(input)
    #expect(error.message.contains(words), "\(error)")
  }

  /// What changes in a run against the run before: the tap's words, then its file.
  @Test(.tags(.system)) func changesAreKnownByItem() async throws {
    let test = try QueueCase()
    func run(_ tap: String) async throws -> (RenderReport, [[Float]]) {
      let input = try queue(test, tap)
      let (planes, report) = try await test.render(input) { job in
        job.overwrite = true
        job.policy.segments = SegmentPolicy(folder: test.folder.file("cache"))
      }
      return (report, planes)
    }
    try test.write("low.txt", gain(-6.020599913279624))
    _ = try await run("")
    for (tap, dB, factor) in [
      ("    tap: item:eq=low.txt", -6.020599913279624, Float(0.5)),
      ("    tap: item:eq=low.txt", 6.020599913279624, 2),
    ] {
      try test.write("low.txt", gain(dB))
      let (report, planes) = try await run(tap)
      #expect(near(planes, joined([1, factor, 1])))
      let changes = try #require(report.queue?.former?.changes)
      #expect(changes.map(\.why).contains("item-changed"), "\(changes)")
      #expect(changes.map(\.from).min() ?? 0 >= 30_000)
      let reused = report.queue?.items.map { $0.source?.reused == true }
      #expect(reused == [true, false, true])
    }
    let (same, _) = try await run("    tap: item:eq=low.txt")
    #expect(same.queue?.former?.changes.isEmpty == true)
  }
}
