// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

/// Queues that are made from lists, and which list a file is.
@Suite struct ReadQueueTests {
  private let folder = ListFolder(path: "/music", exists: { _ in true }, list: { _ in [] })

  private static let sheet = """
    REM GENRE Jazz\nREM DATE 1999\nPERFORMER "Band"\nTITLE "Album"\nFILE "a.wav" WAVE
    TRACK 01 AUDIO\nTITLE One\nISRC DEABC9900001\nREM COMMENT first\nINDEX 01 00:02:00
    POSTGAP 00:01:00\nTRACK 02 AUDIO\nTITLE Two\nPERFORMER Guest\nINDEX 00 00:59:74
    FILE "b.wav" WAVE\nINDEX 01 00:00:00\nTRACK 07 AUDIO\nINDEX 01 01:00:00\nINDEX 02 01:30:00\n
    """

  private static func file(_ path: String, _ from: Int64, _ to: Int64?) -> QueueSource {
    let range = QueueRange(
      start: .clock(MediaTime(ticks: from, rate: 75)),
      end: to.map { .clock(MediaTime(ticks: $0, rate: 75)) })
    return .file(path: path, track: nil, range: range)
  }

  @Test("a cue sheet becomes items and parts with titles, tags and line numbers")
  func aSheetBecomesItemsAndParts() throws {
    let read = try QueueFormat.cue.read(
      Array(ReadQueueTests.sheet.utf8), name: "x.cue", in: folder)
    let queue = read.queue
    let file = ReadQueueTests.file
    let second: QueueSource = .silence(.clock(MediaTime(ticks: 75, rate: 75)))
    #expect(
      queue.items.map(\.source) == [
        file("a.wav", 0, 150), file("a.wav", 150, 4499), second, file("a.wav", 4499, nil),
        file("b.wav", 0, 4500), file("b.wav", 4500, nil),
      ])
    #expect(queue.items.map(\.isPart) == [false, false, true, true, false, false])
    #expect(queue.items.map(\.title) == ["Hidden track", "One", nil, nil, "Two", nil])
    #expect(
      queue.items.map(\.tags) == [
        [:], ["isrc": "DEABC9900001", "comment": "first"], [:], [:], ["artist": "Guest"],
        ["track": "7"],
      ])
    #expect(
      queue.tags == ["genre": "Jazz", "date": "1999", "artist": "Band", "album": "Album"])
    #expect(read.title == "Album" && read.lines == [nil, 6, 6, 6, 12, 18])
    #expect(read.notes.map(\.code) == [.hiddenTrack, .ignored])
    #expect(queue.items.indices.map(queue.continues) == [false, true, false, false, false, true])
    try queue.validate()
  }

  @Test("an M3U list becomes items with titles, ranges and line numbers")
  func aListBecomesItemsWithTitlesAndRanges() throws {
    let text = """
      #EXTM3U\n#PLAYLIST:Mix\n#EXTART:Band\n#EXTINF:9,A - B\n#EXTVLCOPT:start-time=1.25
      #EXTVLCOPT:stop-time=2\na.wav\n#EXTINF:3,\nb/c.wav\n
      """
    let read = try QueueFormat.m3u.read(Array(text.utf8), name: "x.m3u8", in: folder)
    let range = QueueRange(
      start: .clock(MediaTime(ticks: 125, rate: 100)), end: .seconds(2))
    #expect(
      read.queue.items.map(\.source) == [
        .file(path: "a.wav", track: nil, range: range),
        .file(path: "b/c.wav", track: nil, range: QueueRange()),
      ])
    #expect(read.queue.items.map(\.title) == ["A - B", nil])
    #expect(read.queue.tags == ["title": "Mix", "artist": "Band"] && read.title == "Mix")
    #expect(read.lines == [7, 9])
  }

  @Test(
    "the format of a list is that of its contents, with the name as a hint",
    arguments: [
      ("x.cue", "", QueueFormat.cue), ("x", "file a.wav wave\ntrack 01 audio", .cue),
      ("x.txt", "the FILE is here\nthe TRACK 1 is there", nil),
      ("x.txt", "TRACK 01 AUDIO\nFILE a WAVE", nil), ("x.m3u", "a.wav", .m3u),
      ("x", "\u{FEFF}#EXTM3U\r\na.wav", .m3u), ("x.m3u8", "#EXTM3U\n#EXT-X-VERSION:3", nil),
      ("x.pls", "", .pls), ("x", "\n [Playlist]\nFile1=a", .pls),
      ("x", "<?xml version='1.0'?>\n<!-- <html> -->\n<p:playlist version='1'>", .xspf),
      ("x.xspf", "<html>", nil), ("x.otio", "", .otio),
      ("x.json", #"{"metadata": {"schema": "pinna.queue/1"}, "OTIO_SCHEMA": "Timeline.1"}"#, .otio),
      ("x.json", #"{"a": "}\"", "schema" : "pinna.queue/1", "OTIO_SCHEMA": 1}"#, .queue),
      ("x.json", #"{"a": {"OTIO_SCHEMA": "Timeline.1"}}"#, nil), ("x.json", "{", nil),
      ("x.yaml", "# mine\nitems: []\n'schema': \"pinna.queue/9\"", .queue),
      ("x.yaml", "{items: [], schema: pinna.queue/1}", .queue),
      ("x.yaml", "batch:\n  schema: pinna.queue/1", nil), ("x.yaml", "schema: pinna.preset/1", nil),
      ("x.cue", "RIFF\u{0}\u{0}", nil), ("x.wav", "RIFFxxxxWAVE", nil), ("", "", nil),
    ])
  func contentsDecideWithTheNameAsAHint(name: String, text: String, format: QueueFormat?) {
    #expect(QueueFormat.of(name: name, bytes: Array(text.utf8)) == format)
  }

  @Test("an HLS tag after 100,000 lines of M3U makes the file no list")
  func aTagOfHTTPLiveStreamingCountsWhereverItStands() {
    let long = "#EXTM3U\n" + String(repeating: "#\n", count: 100_000)
    #expect(QueueFormat.of(name: "x", bytes: Array(long.utf8)) == .m3u)
    #expect(QueueFormat.of(name: "x", bytes: Array((long + " #EXT-X-ENDLIST").utf8)) == nil)
    #expect(QueueFormat.of(name: "x.cue", bytes: [0xFF, 0xFE, 0x46, 0]) == .cue)
  }

  @Test("the format of random bytes is guessed without a trap") func guessingTheFormatNeverTraps() {
    var noise = SeededNoise(seed: 9)
    let alphabet = Array("{}[]\"'\\:,<>!-?/# \nschemapin.queue/1OTIO_SCHEMA".utf8)
    for _ in 0..<Soak.rounds(1000, soak: 200_000) {
      let bytes = (0..<Int.random(in: 0...60, using: &noise)).compactMap { _ in
        alphabet.randomElement(using: &noise)
      }
      for name in ["x.m3u", "x"] { _ = QueueFormat.of(name: name, bytes: bytes) }
    }
  }
}
