// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import ISOBMFF

@Suite struct MovieFactsTests {
  private func parsed(_ bytes: [UInt8]) -> MovieFacts? { MovieFacts(BoxBytes.source(bytes)) }

  private func made(_ name: String, _ arguments: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", "sine=duration=2:sample_rate=44100"] + arguments + [folder.file(name)])
    return try withExtendedLifetime(folder) { Array(try Data(contentsOf: folder.url(name))) }
  }

  @Test(
    "ffmpeg's M4A gives timescales, its edit of 1024, handler and sample entry", .tags(.system),
    .fullRunOnly)
  func ffmpegsEditListIsRead() throws {
    let facts = try #require(parsed(try made("a.m4a", ["-c:a", "aac"])))
    #expect(facts.timescale == 1000)
    #expect(facts.tracks.count == 1)
    let track = try #require(facts.tracks.first)
    #expect(track.mediaTimescale == 44_100)
    #expect(track.edits == [EditListBox.Entry(duration: 2000, mediaTime: 1024)])
    #expect(track.handler == "soun")
    #expect(track.sampleEntry == "mp4a")
    #expect(!track.isEncrypted)
    #expect(!facts.isTruncated)
  }

  @Test(
    "a track that ffmpeg delays by 0.5 s has an empty edit of 478…479 ms", .tags(.system),
    .fullRunOnly)
  func aDelayedTrackHasAnEmptyEdit() throws {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=duration=2:size=64x64:rate=10", "-itsoffset", "0.5", "-f",
      "lavfi", "-i", "sine=duration=1:sample_rate=48000", "-c:v", "mpeg4", "-c:a", "aac",
      folder.file("d.mp4"),
    ])
    let bytes = try withExtendedLifetime(folder) { try Data(contentsOf: folder.url("d.mp4")) }
    let facts = try #require(parsed(Array(bytes)))
    let audio = try #require(facts.tracks.first { $0.handler == "soun" })
    #expect(audio.edits.first?.mediaTime == -1)
    // The 1024 start-up samples lie before the half second and stay inside the presentation.
    let delay = try #require(audio.edits.first?.duration)
    #expect((478...479).contains(delay))
    #expect(audio.edits.last?.mediaTime == 0)
  }

  @Test("ffmpeg's fragmented MP4 gives timescale and sample entry", .tags(.system), .fullRunOnly)
  func fragmentedFilesAreRead() throws {
    let facts = try #require(
      parsed(
        try made(
          "f.mp4",
          ["-c:a", "aac", "-movflags", "empty_moov+default_base_moof", "-frag_duration", "500000"]))
    )
    #expect(facts.tracks.map(\.mediaTimescale) == [44_100])
    #expect(facts.tracks.map(\.sampleEntry) == ["mp4a"])
  }

  @Test("headers of both versions give timescales and track number", arguments: [false, true])
  func bothHeaderVersionsAreRead(isLong: Bool) throws {
    let facts = try #require(
      parsed(BoxBytes.movie(longHeaders: isLong, timescale: 600, media: 44_100)))
    #expect(facts.timescale == 600)
    #expect(facts.tracks.first?.mediaTimescale == 44_100)
    #expect(facts.tracks.first?.id == 7)
  }

  @Test("timescales of 0 count as 1")
  func zeroTimescalesCountAsOne() {
    let facts = parsed(BoxBytes.movie(timescale: 0, media: 0))
    #expect(facts?.timescale == 1)
    #expect(facts?.tracks.first?.mediaTimescale == 1)
  }

  /// Durations are only added up where their table is whole and has at most 2^20 entries.
  @Test(
    "durations are added up for whole tables of at most 2^20 entries only",
    arguments: [0, 1, 1 << 20, 1 << 20 + 1])
  func longTablesOfDurationsAreRead(count: Int) {
    let entry = BoxBytes.number(UInt32(3)) + BoxBytes.number(UInt32(5))
    let entries = [[UInt8]](repeating: entry, count: count).flatMap { $0 }
    for stated in [count, count + 1] {
      let table = BoxBytes.box(
        "stts", [0, 0, 0, 0] + BoxBytes.number(UInt32(stated)) + entries)
      let track = BoxBytes.box(
        "trak", BoxBytes.box("mdia", BoxBytes.box("minf", BoxBytes.box("stbl", table))))
      let facts = parsed(BoxBytes.box("moov", track))
      #expect(facts?.tracks.count == 1)
      let isKnown = stated == count && (1...1 << 20).contains(count)
      #expect(facts?.tracks.first?.mediaDuration == (isKnown ? Int64(15 * count) : nil))
    }
  }

  @Test(
    "durations are even where all samples but the last have one",
    arguments: [
      ([(94, 512)], true), ([(93, 512), (1, 100)], true), ([(93, 512), (1, 528)], true),
      ([(1, 528), (93, 512)], false), ([(3, 512), (1, 528), (90, 512)], false),
      ([(3, 512), (2, 528)], false), ([(1, 512), (1, 528), (1, 528)], false), ([(1, 7)], true),
    ] as [([(UInt32, UInt32)], Bool)])
  func durationsAreEvenOrNot(runs: [(UInt32, UInt32)], isEven: Bool) {
    let entries = runs.flatMap { BoxBytes.number($0.0) + BoxBytes.number($0.1) }
    let table = BoxBytes.box(
      "stts", [0, 0, 0, 0] + BoxBytes.number(UInt32(runs.count)) + entries)
    let track = BoxBytes.box(
      "trak", BoxBytes.box("mdia", BoxBytes.box("minf", BoxBytes.box("stbl", table))))
    let length = parsed(BoxBytes.box("moov", track))?.tracks.first?.mediaLength
    #expect(length?.isEven == isEven)
    #expect(length?.ticks == runs.reduce(0) { $0 + Int64($1.0 * $1.1) })
  }

  @Test("edit lists of both versions give durations and media times")
  func bothEditListVersionsAreRead() {
    let short =
      [0, 0, 0, 0] + BoxBytes.number(UInt32(2)) + BoxBytes.number(UInt32(500))
      + BoxBytes.number(Int32(-1)) + [0, 1, 0, 0] + BoxBytes.number(UInt32(9))
      + BoxBytes.number(Int32(1024)) + [0, 1, 0, 0]
    let long =
      [1, 0, 0, 0] + BoxBytes.number(UInt32(2)) + BoxBytes.number(UInt64.max)
      + BoxBytes.number(Int64(-1)) + [0, 1, 0, 0] + BoxBytes.number(UInt64(9))
      + BoxBytes.number(Int64(1) << 40) + [0, 1, 0, 0]
    let shortEdits = parsed(BoxBytes.movie(edits: short))?.tracks.first?.edits
    let longEdits = parsed(BoxBytes.movie(edits: long))?.tracks.first?.edits
    #expect(shortEdits?.map(\.duration) == [500, 9])
    #expect(shortEdits?.map(\.mediaTime) == [-1, 1024])
    #expect(longEdits?.map(\.duration) == [.max, 9])
    #expect(longEdits?.map(\.mediaTime) == [-1, 1 << 40])
  }

  @Test("edits beyond the box are left out")
  func editsBeyondTheBoxAreLeftOut() {
    let box = EditListBox(
      payload: [0, 0, 0, 0] + BoxBytes.number(UInt32.max) + [UInt8](repeating: 1, count: 30))
    #expect(box.entries.count == 2)
    #expect(EditListBox(payload: []).entries.isEmpty)
    #expect(EditListBox(payload: [1]).entries.isEmpty)
  }

  @Test("an encrypted entry names ec-3 as the format underneath")
  func encryptedEntriesNameTheFormatUnderneath() throws {
    let fields = [UInt8](repeating: 0, count: 28)
    let scheme = BoxBytes.box("sinf", BoxBytes.box("frma", Array("ec-3".utf8)))
    let movie = BoxBytes.movie(entry: BoxBytes.box("enca", fields + scheme))
    let track = try #require(parsed(movie)?.tracks.first)
    #expect(track.isEncrypted)
    #expect(track.originalFormat == "ec-3")
  }

  @Test(
    "dec3 states the objects' complexity, 0 without them and none when it is cut",
    arguments: [
      ([0, 0x20, 0x3F, 0, 0, 1, 16], 16), ([0, 0x20, 0x3F, 0, 0], 0),
      ([0, 0x20, 0x3F, 0, 0, 0, 16], 0),
      ([0, 0x20, 0x3F, 0, 2, 0, 1, 8], 8), ([0, 0x21, 0x3F, 0, 0, 0x3F, 0, 0, 1, 4], 4),
      ([0], nil), ([0, 0x20, 0x3F], nil), ([0, 0x27, 0x3F, 0, 0, 1, 16], nil), ([], nil),
    ] as [([UInt8], Int?)])
  func dec3StatesTheObjects(dec3: [UInt8], complexity: Int?) throws {
    let entry = BoxBytes.box("ec-3", [UInt8](repeating: 0, count: 28) + BoxBytes.box("dec3", dec3))
    let track = try #require(parsed(BoxBytes.movie(entry: entry))?.tracks.first)
    #expect(track.objectComplexity == complexity)
  }

  @Test(
    "an E-AC-3 JOC file declares complexity 16 and a plain one 0", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func aJOCFileDeclaresSixteenObjects() throws {
    let file = URL(fileURLWithPath: SharedMedia.path("sample_eac3joc.mp4"))
    #expect(parsed(Array(try Data(contentsOf: file)))?.tracks.map(\.objectComplexity) == [16])
    let plain = URL(fileURLWithPath: SharedMedia.path("sample_eac3.mp4"))
    #expect(parsed(Array(try Data(contentsOf: plain)))?.tracks.map(\.objectComplexity) == [0])
  }
}
