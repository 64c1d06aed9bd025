// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Items of a queue at a loudness of their own, as libebur128 measures them in the file.
@Suite struct QueueLevelTests {
  /// A queue of a jingle and a talk, and how its items must come out.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var policy = PeakPolicy.limit
    /// Loudness of the items in the file, LUFS; `nil` for one that misses −16 LUFS.
    var wanted: [Double?] = [-16, -16]
    var change: @Sendable (inout PlayQueue) -> Void = { _ in }
  }

  static let rows = [
    Row(testDescription: "each at the target"),
    Row(testDescription: "each, then the whole") { $0.loudness = .both },
    Row(testDescription: "a gain on top", wanted: [-16, -19]) { $0.items[1].gain = -3 },
    Row(testDescription: "a loudness of its own", wanted: [-20, -16]) {
      $0.items[0].loudness = -20
    },
    Row(testDescription: "peaks are kept", policy: .lower, wanted: [-16, nil]),
    Row(testDescription: "peaks are kept, in the whole too", policy: .lower, wanted: [nil, nil]) {
      $0.loudness = .both
    },
  ]

  private static let jingle = QueueCase.noise(2, 48_000 * 2, seed: 9)

  /// Six seconds of quiet bursts, each of which begins with 2 ms that are 23 dB louder.
  private static let talk: [[Float]] = QueueCase.noise(2, 48_000 * 6, seed: 5).map { plane in
    plane.enumerated().map { index, sample in
      let place = index % 24_000
      return sample * (place < 96 ? 2.8 : place < 15_000 ? 0.2 : 0)
    }
  }

  private func queue(_ test: QueueCase) throws -> PlayQueue {
    var queue = PlayQueue([
      QueueCase.item(try test.write("jingle.wav", Self.jingle)),
      QueueCase.item(try test.write("talk.wav", Self.talk)),
    ])
    queue.loudness = .item
    return queue
  }

  private func level(_ planes: [[Float]], _ range: Range<Int>) -> Double {
    LibEBUR128(Decoded(rate: 48_000, planes: planes.map { Array($0[range]) })).integrated
  }

  @Test(
    "items reach their own loudness after the limiter, or the report says by how much not",
    arguments: rows)
  func itemsReachTheirLoudness(row: Row) async throws {
    let test = try QueueCase()
    var queue = try queue(test)
    row.change(&queue)
    let (out, report) = try await test.render(.queue(queue)) {
      $0.loudness = LoudnessTarget(integrated: -16, truePeak: -1, peakPolicy: row.policy)
    }
    let items = try #require(report.queue).items
    let border = Self.jingle[0].count
    let missed = report.degradations.filter { $0.code == .itemLoudness }
    for (item, (wanted, range)) in zip(
      items, zip(row.wanted, [0..<border, border..<out[0].count]))
    {
      let measured = level(out, range)
      let reported = try #require(item.outputIntegrated)
      #expect(
        (reported - measured).magnitude < 0.03, "item \(item.number): \(reported), \(measured)")
      if let wanted {
        #expect((measured - wanted).magnitude < 0.1, "item \(item.number): \(measured)")
        #expect(!missed.contains { $0.message.contains("item \(item.number)") })
      }
    }
    let whole = LibEBUR128(Decoded(rate: 48_000, planes: out))
    #expect(whole.truePeak <= -0.99, "\(whole.truePeak)")
    #expect(missed.isEmpty == (row.policy == .limit), "\(missed)")
    // A limiter that works on single items is reported as one on the programme is.
    #expect(report.degradations.contains { $0.code == .limited } == (row.policy == .limit))
    #expect((items[1].limiter != nil) == (row.policy == .limit) && items[0].limiter == nil)
    if row.policy == .lower {
      #expect(missed[0].class == .level && missed[0].message.contains("item 2 (talk)"))
    }
  }

  @Test("a loudness of items that levels which are left alone leave out is reported")
  func loudnessThatIsOffIsReported() async throws {
    let test = try QueueCase()
    let (_, report) = try await test.render(.queue(try queue(test))) { $0.loudness = nil }
    #expect(report.decisions.contains { $0.code == .queue && $0.chose.contains("loudness: item") })
  }

  @Test("what moves items after their own gain is reported")
  func laterChangesAreReported() async throws {
    let test = try QueueCase()
    let queue = try queue(test)
    let tap = Tap(
      .programme,
      .equalizer(
        path: try test.write(
          "low.txt", "Preamp: -3 dB\nFilter: ON PK Fc 1000 Hz Gain 0 dB Q 1\n")))
    let (_, report) = try await test.render(.queue(queue)) {
      $0.loudness = .standard
      $0.rendition.taps = [tap]
    }
    let missed = try #require(report.degradations.first { $0.code == .itemLoudness })
    #expect(missed.message.contains("item 1 (jingle)") && missed.message.contains("item 2 (talk)"))
    #expect(missed.message.contains("LU below its target of -16.00 LUFS; a tap"), "\(missed)")
    for item in try #require(report.queue).items {
      let (target, reached) = (item.loudnessTarget, item.outputIntegrated)
      #expect(target == -16 && ((reached ?? 0) + 19).magnitude < 0.05, "\(item)")
    }
  }

  @Test(
    "items that a range cuts are judged, too",
    arguments: [
      (PeakPolicy.limit, DegradationCode.limited), (.lower, .itemLoudness),
    ])
  func cutItemsAreJudged(policy: PeakPolicy, code: DegradationCode) async throws {
    let test = try QueueCase()
    let (_, report) = try await test.render(.queue(queue(test))) {
      $0.clip.range.start = .samples(48_000)
      $0.clip.range.end = .at(.samples(48_000 * 5))
      $0.loudness = LoudnessTarget(integrated: -16, truePeak: -1, peakPolicy: policy)
    }
    let found = report.degradations.filter { $0.code == .limited || $0.code == .itemLoudness }
    #expect(Set(found.map(\.code)) == [code], "\(found)")
    #expect(found.contains { $0.message.contains("item 2 (talk)") }, "\(found)")
    // A part of an item says nothing about the loudness of all of it.
    let items = try #require(report.queue).items
    #expect(items.allSatisfy { $0.outputIntegrated == nil })
  }

  /// A tap behind the items takes 3 dB off them.
  @Test(
    "an item below 400 ms is measured in the output, and has no figure where its fades leave less")
  func shortItemsAreMeasured() async throws {
    let test = try QueueCase()
    let short = try test.write("short.wav", QueueCase.noise(2, 14_400))
    var faded = QueueCase.item(short)
    faded.fadeIn = Fade(.samples(2_400))
    var queue = PlayQueue([
      QueueCase.item(short), faded, QueueCase.item(try test.write("jingle.wav", Self.jingle)),
    ])
    queue.loudness = .item
    let tap = Tap(
      .programme,
      .equalizer(
        path: try test.write(
          "low.txt", "Preamp: -3 dB\nFilter: ON PK Fc 1000 Hz Gain 0 dB Q 1\n")))
    let (_, report) = try await test.render(.queue(queue)) {
      $0.loudness = .standard
      $0.rendition.taps = [tap]
    }
    let levels = try #require(report.queue).items.map(\.outputIntegrated)
    #expect(levels[1] == nil, "\(levels)")
    for item in [0, 2] {
      #expect(((levels[item] ?? 0) + 19).magnitude < 0.1, "\(levels)")
    }
    let missed = try #require(report.degradations.first { $0.code == .itemLoudness }).message
    #expect(missed.contains("item 1") && !missed.contains("item 2"), "\(missed)")
  }

  /// The jingle at −15 LUFS makes the whole some 3 LU too loud; the talk's peaks keep it 1.5 LU below −23 LUFS.
  @Test("an item's miss and its target are stated at the level of the whole")
  func movedTargetsAreNamed() async throws {
    let test = try QueueCase()
    var queue = try queue(test)
    queue.loudness = .both
    queue.items[0].gain = 8
    let (_, report) = try await test.render(.queue(queue)) {
      $0.loudness = LoudnessTarget(integrated: -23, truePeak: -1, peakPolicy: .lower)
    }
    let item = try #require(report.queue).items[1]
    let missed = try #require(report.degradations.first { $0.code == .itemLoudness }).message
    let pattern =
      /item 2 \(talk\) comes out at (\S+) LUFS, (\S+) LU below its target of (\S+) LUFS \(-23\.00, and -/
    let found = try #require(missed.firstMatch(of: pattern), "\(missed)").output
    let (level, distance, target) = (Double(found.1), Double(found.2), Double(found.3))
    #expect(((level ?? 0) - (item.outputIntegrated ?? 0)).magnitude < 0.006)
    #expect(((target ?? 0) - (level ?? 0) - (distance ?? 0)).magnitude < 0.02, "\(missed)")
  }

  /// Neither of two items that sound together can be measured alone.
  @Test("a crossfade isn't taken for a missed loudness")
  func crossfadesAreLeftOut() async throws {
    let test = try QueueCase()
    var queue = try queue(test)
    queue.transition = .crossfade(length: .samples(24_000), curve: .equalPower)
    let (_, report) = try await test.render(.queue(queue)) { $0.loudness = .standard }
    #expect(!report.degradations.contains { $0.code == .itemLoudness })
    for item in try #require(report.queue).items {
      #expect(((item.outputIntegrated ?? 0) + 16).magnitude < 0.1, "\(item)")
    }
  }

  @Test(
    "an item that no gain brings to its loudness is reported, and the queue isn't refused for it")
  func clicksStayBelow() async throws {
    let test = try QueueCase()
    let clicks: [[Float]] = (0..<2).map { _ in
      (0..<48_000 * 3).map { $0 % 48_000 == 24_000 ? 0.9 : 0 }
    }
    var queue = PlayQueue([
      QueueCase.item(try test.write("clicks.wav", clicks)),
      QueueCase.item(try test.write("jingle.wav", Self.jingle)),
    ])
    queue.loudness = .item
    let (out, report) = try await test.render(.queue(queue)) { $0.loudness = .standard }
    let missed = report.degradations.filter { $0.code == .itemLoudness }
    #expect(missed.count == 1 && missed[0].message.hasPrefix("item 1 (clicks)"), "\(missed)")
    let items = try #require(report.queue).items
    let border = clicks[0].count
    for (item, range) in zip(items, [0..<border, border..<out[0].count]) {
      let reported = try #require(item.outputIntegrated)
      #expect((reported - level(out, range)).magnitude < 0.03, "\(item)")
    }
    #expect((level(out, border..<out[0].count) + 16).magnitude < 0.1)
  }

  @Test("an item whose peaks forbid its loudness is refused by name where that is asked for")
  func peaksMayRefuse() async throws {
    let test = try QueueCase()
    let error = try await test.failure(.queue(queue(test))) {
      $0.loudness = LoudnessTarget(integrated: -16, truePeak: -1, peakPolicy: .fail)
    }
    #expect(error.kind == .targetNotMet && error.message.contains("item 2"), "\(error)")
  }

  @Test("limited items have the same bits for any block size and thread count")
  func bitsDontDependOnBlocks() async throws {
    let test = try QueueCase()
    let queue = try queue(test)
    var bits: Set<Data> = []
    for (threads, block) in [(1, 100_000), (4, 777), (2, 4096)] {
      let name = "\(threads).wav"
      _ = try await test.render(.queue(queue), to: name) {
        $0.loudness = .standard
        $0.policy.threads = threads
        $0.policy.blockSize = block
        // The items lie in their temporary files.
        if threads == 2 { $0.policy.spoolMemory = 1 }
      }
      bits.insert(try Data(contentsOf: test.folder.url(name)))
    }
    #expect(bits.count == 1)
  }
}
