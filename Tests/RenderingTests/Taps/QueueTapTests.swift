// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
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
  @Test("the taps of an item process that item alone, before those of the request")
  func oneItemPassesThem() async throws {
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
        let gaps = zip(one, other).map { (one: Float, other: Float) in abs(one - other) }
        return one.count == other.count && gaps.allSatisfy { $0 < 1e-6 }
      }
  }

  @Test("several taps of an item are called in their order") func severalComeInTheirOrder()
    async throws
  {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6.020599913279624))
    let input = try queue(
      test, "    tap:\n      - item:eq=low.txt\n      - item:avfilter=volume=volume=4")
    let (planes, report) = try await test.render(input)
    #expect(report.outputs[0].taps?.map(\.kind) == ["eq", "avfilter"])
    #expect(near(planes, joined([1, 2, 1])))
  }

  @Test("a request can leave out the taps of all items") func theRequestMayLeaveThemOut()
    async throws
  {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6))
    let input = try queue(test, "    tap: item:eq=low.txt")
    let (planes, report) = try await test.render(input) { $0.clip.joining.keepsTaps = false }
    #expect(isSame(planes, joined([1, 1, 1])) && report.outputs[0].taps == nil)
  }

  @Test(
    "a wrong tap of an item is named in the message",
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

  /// Changes in a run against the run before: the tap's words, then its file.
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

  /// The delay that the request settles holds for an item's tap, too, and each tap has its own.
  @Test(.enabled(if: FilterLibrary.current != nil, "libavfilter isn't installed"))
  func delaysFollowTheRequest() async throws {
    let test = try QueueCase()
    let input = try queue(test, "    tap: item:avfilter=afftdn=nr=12")
    let own = Tap(.item, .filters(try FilterRequest(parsing: "afftdn=nr=12")))
    var pinned = own
    pinned.latency = .samples(0)
    let second = pinned
    let used = try await test.render(input, to: "a.wav") { $0.rendition.taps = [second] }.report
      .outputs[0].taps?.map(\.latency.used)
    #expect(used == [1200, 0])
    let all = try await test.render(input, to: "b.wav") {
      $0.rendition.taps = [second]
      $0.clip.joining.tapLatency = .samples(0)
    }.report.outputs[0].taps?.map(\.latency.used)
    #expect(all == [0, 0])
  }

  /// Sound that was rendered with another delay isn't taken from the cache.
  @Test(
    "an item rendered with another delay isn't taken from the cache", .tags(.system),
    .enabled(if: FilterLibrary.current != nil, "libavfilter isn't installed"))
  func theCacheKnowsDelays() async throws {
    let test = try QueueCase()
    let input = try queue(test, "    tap: item:avfilter=afftdn=nr=12")
    func run(_ latency: Tap.Latency) async throws -> [[Float]] {
      try await test.render(input) { job in
        job.overwrite = true
        job.policy.segments = SegmentPolicy(folder: test.folder.file("cache"))
        job.clip.joining.tapLatency = latency
      }.planes
    }
    let first = try await run(.automatic)
    let moved = try await run(.samples(0))
    #expect(!isSame(first, moved))
    #expect(isSame(first, try await run(.automatic)))
  }

  /// An item's tap that fails is left out where that is asked for; the others stay.
  @Test(.enabled(if: FilterLibrary.current != nil, "libavfilter isn't installed"))
  func aFailingOneIsLeftOut() async throws {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6.020599913279624))
    let input = try queue(
      test, "    tap: [item:eq=low.txt, 'item:avfilter=volume=volume=1e39']")
    let error = try await test.failure(input)
    #expect(error.message.contains("item 2"), "\(error.message)")
    let (planes, report) = try await test.render(input) { $0.policy.tapFailure = .bypass }
    #expect(near(planes, joined([1, 0.5, 1])))
    #expect(report.degradations.map(\.code).contains(.tapBypassed))
  }

  /// The files of taps keep to the same bounds as those of items, and no output takes their place.
  @Test func filesOfTapsAreGuarded() async throws {
    let test = try QueueCase()
    let outside = try TemporaryFolder()
    try Data(gain(-6).utf8).write(to: outside.url("low.txt"))
    try test.write("low.txt", gain(-6))
    let input = try queue(test, "    tap: item:eq=\(outside.file("low.txt"))")
    let error = try await test.failure(input) { job in
      job.clip.decoding.bounds.root = test.folder.path
    }
    #expect(error.message.contains("lies outside of"), "\(error.message)")
    let list = try test.write(
      "ir.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n0.wav\n#EXT-X-ENDLIST\n")
    let playlist = try await test.failure(.file(test.folder.file("0.wav"))) {
      $0.rendition.taps = [Tap(.item, .impulse(ImpulseRequest(path: list)))]
    }
    #expect(playlist.kind == .usage, "\(playlist)")
    let ownTap = try queue(test, "    tap: item:fir=ir.wav")
    let response = try test.write("ir.wav", [[1]])
    let before = try Data(contentsOf: test.folder.url("ir.wav"))
    for (location, taps) in [
      (ownTap, []),
      (.file(test.folder.file("0.wav")), [Tap(.item, .impulse(ImpulseRequest(path: response)))]),
    ] as [(MediaLocation, [Tap])] {
      var job = test.job(location, to: "ir.wav")
      job.overwrite = true
      job.rendition.taps = taps
      let request = job
      let failure = await #expect(throws: RenderFailure.self) {
        try await RenderPipeline().render(request)
      }
      #expect(failure?.error.kind == .outputUnwritable)
      #expect(try Data(contentsOf: test.folder.url("ir.wav")) == before)
    }
  }

  /// The report of a track has the taps of its own item.
  @Test func tracksHaveTheirOwnTaps() async throws {
    let test = try QueueCase()
    try test.write("low.txt", gain(-6))
    let input = try queue(test, "    tap: item:eq=low.txt")
    let outputs = (1...3).map { number in
      var output = OutputRequest(
        .file(test.folder.file("t\(number).wav")), Rendition(.channels()))
      output.items = ItemSpan(number, number)
      return output
    }
    let report = try await RenderPipeline().render(RenderRequest(input, outputs: outputs))
    #expect(report.outputs.map { $0.taps?.count ?? 0 } == [0, 1, 0])
  }
}
