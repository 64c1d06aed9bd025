// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Start, end and gaps of sound in Ogg by its pages.
@Suite(.tags(.system)) struct OggTimeTests {
  /// A file, and what of its packets' sound is to be heard.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The stream, with positions that say what its packets hold.
    let make: @Sendable () throws -> OggBytes
    /// Change of the file.
    let change: @Sendable (inout OggBytes) -> Void
    /// Samples at the beginning that aren't heard, besides what every decode of the packets leaves out.
    var start: Int = 0
    /// Samples at the end that aren't heard.
    var end: Int = 0
    /// Place of the first sample that is heard.
    var place: Int64 = 0
    /// Degradations.
    var kinds: Set<String> = []
    /// Decision on the clock.
    var decision: String?
  }

  private static let vorbis: @Sendable () throws -> OggBytes = { try .vorbis() }
  private static let opus: @Sendable () throws -> OggBytes = { try .opus() }
  private static let speex: @Sendable () throws -> OggBytes = { try .speex() }

  private static func shift(_ count: Int64) -> @Sendable (inout OggBytes) -> Void {
    { bytes in for index in bytes.pages.indices { bytes.pages[index].position += count } }
  }

  private static func cut(_ count: Int64, flag: Bool = true) -> @Sendable (inout OggBytes) -> Void {
    { bytes in
      bytes.pages[bytes.pages.count - 1].position -= count
      bytes.hasEndFlag = flag
    }
  }

  static let rows: [Row] = starts + ends + betweens

  private static let starts: [Row] = [
    // Vorbis I, A.2: samples before 0 are left out.
    Row(
      testDescription: "Vorbis, the first page states 500 samples less than it holds", make: vorbis,
      change: shift(-500), start: 500),
    // The decoder's look-ahead of 80 samples comes on top, and moves the end as well. Every decode leaves it out.
    Row(
      testDescription: "Speex, the first page states the encoder's look-ahead of 143 samples less",
      make: speex,
      change: shift(-143), start: 143),
    Row(
      testDescription: "Speex with look-ahead, whose last page leaves out 500 samples", make: speex,
      change: { bytes in
        shift(-143)(&bytes)
        cut(500)(&bytes)
      }, start: 143, end: 420),
    Row(
      testDescription: "Vorbis that begins 2 s later than 0", make: vorbis, change: shift(96_000),
      place: 96_000),
    // RFC 7845, 4.3: the sample at a position is that less the pre-skip.
    Row(
      testDescription: "Opus that begins 10 s later than 0", make: opus, change: shift(480_000),
      place: 480_000),
    // RFC 7845, 4.5: the header alone states the beginning.
    Row(
      testDescription: "Opus, the first page states 500 samples less than it holds", make: opus,
      change: shift(-500), place: -500),
  ]

  private static let ends: [Row] = [
    Row(
      testDescription: "Vorbis, the last page cuts its last packets", make: vorbis,
      change: cut(712), end: 712),
    Row(
      testDescription: "Vorbis, the last page cuts more than one packet", make: vorbis,
      change: cut(3000),
      end: 3000),
    Row(
      testDescription: "Vorbis, the last page ends within the page before", make: vorbis,
      change: { bytes in
        let last = bytes.pages[bytes.pages.count - 1]
        let before = bytes.pages[bytes.pages.count - 2]
        bytes.pages[bytes.pages.count - 1].position -= last.position - before.position + 100
      }, end: -1),
    Row(
      testDescription: "Vorbis, the last page cuts but has no flag", make: vorbis,
      change: cut(712, flag: false),
      end: 712, kinds: ["truncated"]),
    // RFC 7845, 4.4.
    Row(
      testDescription: "Opus, the last page cuts four packets", make: opus, change: cut(3000),
      end: 3000),
    Row(
      testDescription: "Opus, the last page cuts but has no flag", make: opus,
      change: cut(700, flag: false),
      end: 700, kinds: ["truncated"]),
    Row(
      testDescription: "Opus, all on one page with the flag, which cuts at its end",
      make: { try .opus(perPage: 40) }, change: cut(700), end: 700),
    // Vorbis I, A.2: a page that is first and last leaves out samples at its end.
    Row(
      testDescription: "Vorbis, all on one page with the flag, which cuts at its end",
      make: { try .vorbis(most: 20, perPage: 20) }, change: cut(300), end: 300),
    Row(
      testDescription: "Vorbis, all on one page that cuts nothing",
      make: { try .vorbis(most: 20, perPage: 20) }, change: { _ in }),
    Row(
      testDescription: "Vorbis that ends with an empty packet", make: vorbis,
      change: { $0.hasEmptyEnd = true }),
    Row(
      testDescription: "Opus that is cut and ends with an empty packet", make: opus,
      change: { bytes in
        cut(700)(&bytes)
        bytes.hasEmptyEnd = true
      }, end: 700),
  ]

  private static let betweens: [Row] = [
    Row(
      testDescription: "Vorbis with bytes between and after its pages", make: vorbis,
      change: { $0.stray = [1, 2, 3] }, kinds: ["garbage-skipped"]),
    Row(
      testDescription: "Opus with bytes between and after its pages", make: opus,
      change: { $0.stray = [0, 0, 0, 0, 0] }, kinds: ["garbage-skipped"]),
    Row(
      testDescription: "Vorbis, a page states 700 samples more, which the next takes back",
      make: vorbis,
      change: { $0.pages[1].position += 700 }, decision: "clock-jitter"),
    Row(
      testDescription: "Opus, a page states 700 samples less, which the next takes back",
      make: opus,
      change: { $0.pages[1].position -= 700 }, decision: "clock-jitter"),
    Row(
      testDescription: "Opus, the last page but one states 700 samples more", make: opus,
      change: { $0.pages[2].position += 700 }, decision: "clock-jitter"),
  ]

  /// The judges are the packets themselves, of which all are decoded: what the positions leave out is missing at the ends,
  /// and nothing between.
  @Test("pages decide which samples are heard, and from when on", arguments: rows)
  func pagesDecide(row: Row) throws {
    var bytes = try row.make()
    let plain = try MadeMedia("a.ogg", bytes: bytes.file()).decode()
    let whole = bytes.end
    row.change(&bytes)
    let made = try MadeMedia("a.ogg", bytes: bytes.file())
    let result = try made.decode()
    let end = row.end < 0 ? Int(whole - bytes.end) : row.end
    #expect(result.planes == plain.planes.map { Array($0.dropFirst(row.start).dropLast(end)) })
    #expect(result.kinds == row.kinds)
    #expect(result.summary.plan.start == row.place && result.summary.gaps.isEmpty)
    #expect(result.summary.plan.statedSamples == Int64(result.count))
    let decisions = result.decisions.filter { $0.code == .timestamps }.map(\.chose)
    #expect(decisions == (row.decision.map { [$0] } ?? []))
  }

  @Test("packets whose positions say what they hold give all of their samples, less the start-up")
  func wholePacketsGiveAllSamples() throws {
    for (make, startUp) in [
      (OggTimeTests.vorbis, 0), (OggTimeTests.opus, 312), (OggTimeTests.speex, 80),
    ] {
      let bytes = try make()
      let result = try MadeMedia("a.ogg", bytes: bytes.file()).decode()
      #expect(Int64(result.count) == bytes.end - Int64(startUp))
      #expect(result.kinds.isEmpty && result.summary.plan.statedSamples == Int64(result.count))
    }
  }

  /// All pages from one on agree, so that samples are missing before it.
  @Test(
    "a jump of 48,000 samples that all later pages confirm is filled, with or without a missing page",
    arguments: [false, true])
  func aConfirmedJumpIsFilled(isLost: Bool) throws {
    var bytes = try OggBytes.opus()
    let plain = try MadeMedia("a.ogg", bytes: bytes.file()).decode()
    let length = isLost ? 9600 : 48_000
    if isLost {
      bytes.lost = [2]
    } else {
      for index in 2..<4 { bytes.pages[index].position += 48_000 }
    }
    let result = try MadeMedia("a.ogg", bytes: bytes.file()).decode()
    #expect(result.kinds == ["timestamp-gap"])
    #expect(result.summary.gaps.map(\.samples) == [Int64(length)])
    let place = 20 * 960 - 312
    #expect(result.planes[0].prefix(place) == plain.planes[0].prefix(place))
    #expect(result.planes[0][place..<place + length].allSatisfy { $0 == 0 })
    #expect(result.count == plain.count + (isLost ? 0 : length))
  }

  /// A page behind which nothing of the file agrees: positions that can't be true leave the sound alone.
  @Test(
    "a last page that states an end before the last two pages cuts nothing", arguments: [0, 1000])
  func anEndThatCannotBeTrueCutsNothing(end: Int64) throws {
    var bytes = try OggBytes.vorbis()
    let plain = try MadeMedia("a.ogg", bytes: bytes.file()).decode()
    bytes.pages[bytes.pages.count - 1].position = end
    let result = try MadeMedia("a.ogg", bytes: bytes.file()).decode()
    #expect(result.planes == plain.planes)
  }

  @Test("packets of Opus, FLAC and Speex are counted by their own headers")
  func packetsAreCounted() throws {
    func head(_ bytes: [UInt8]) throws -> OggPacketLengths {
      OggPacketLengths(try #require(OggHead(bytes)))
    }
    var opus = try head(Array("OpusHead".utf8) + [1, 2, 0x38, 1])
    #expect(opus.samples(Array("OpusTags".utf8)) == nil)
    // RFC 6716, table 2: SILK of 60 ms, a hybrid of 20 ms, CELT of 2.5 ms; then one, two, and seven frames.
    #expect(opus.samples([3 << 3]) == 2880 && opus.samples([13 << 3 | 1]) == 1920)
    #expect(opus.samples([16 << 3 | 3, 7]) == 840)
    var flac = try head([0x7F] + Array("FLAC".utf8))
    #expect(flac.samples([0x84, 0, 0, 0]) == nil)
    // RFC 9639, 9.1.1: 4608, 256 << 4, and 100 in a byte of its own.
    #expect(flac.samples([0xFF, 0xF8, 0x5A, 0, 0]) == 4608)
    #expect(flac.samples([0xFF, 0xF8, 0xCA, 0, 0]) == 4096)
    #expect(flac.samples([0xFF, 0xF8, 0x6A, 0, 0xC2, 0x80, 99]) == 100)
    var header = Array("Speex   ".utf8) + [UInt8](repeating: 0, count: 72)
    header.replaceSubrange(56..<58, with: [0x40, 0x01])
    header[64] = 2
    var speex = try head(header)
    #expect(speex.samples(header) == nil && speex.samples([0]) == nil && speex.samples([0]) == 640)
  }
}
