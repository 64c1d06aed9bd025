// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite struct MediaPlaylistTests {
  private func read(_ lines: [String], end: String = "\n") throws -> MediaPlaylist {
    try MediaPlaylist(Array((["#EXTM3U"] + lines).joined(separator: end).utf8), name: "list")
  }

  private func flaw(_ lines: [String]) -> MediaError? {
    do {
      _ = try read(lines)
      return nil
    } catch { return error as? MediaError }
  }

  @Test(
    "segments come in order with their durations and sequence numbers, for both kinds of line ends",
    arguments: ["\n", "\r\n"])
  func segmentsComeInOrder(end: String) throws {
    let list = try read(
      [
        "#EXT-X-VERSION:7", "#EXT-X-MEDIA-SEQUENCE:41", "", "# a comment",
        "#EXTINF:2.5,A title, yes",
        "a.ts", "#EXT-X-UNKNOWN:1", "#EXTINF: 3,", "b c.ts ", "#EXTINF:0.123456789012", "d.ts",
        "#EXT-X-ENDLIST",
      ], end: end)
    #expect(list.isComplete)
    #expect(list.segments.map(\.uri) == ["a.ts", "b c.ts", "d.ts"])
    #expect(list.segments.map(\.duration) == [2_500_000_000, 3_000_000_000, 123_456_789])
    #expect(list.segments.map(\.uncertainty) == [50_000_000, 500_000_000, 0])
    #expect(list.segments.map(\.sequence) == [41, 42, 43])
    #expect(!(try read(["#EXTINF:1,", "a"]).isComplete))
  }

  @Test(
    "a byte range without an offset goes on where the one before ended in its file, or is refused")
  func byteRangesGoOnWhereTheOneBeforeEnded() throws {
    let list = try read([
      "#EXTINF:1,", "#EXT-X-BYTERANGE:100@50", "a", "#EXT-X-BYTERANGE:10", "#EXTINF:1,", "a",
      "#EXTINF:1,", "b", "#EXTINF:1,", "#EXT-X-BYTERANGE:7@0", "b",
    ])
    #expect(list.segments.map(\.range) == [50..<150, 150..<160, nil, 0..<7])
    for lines in [
      ["#EXT-X-BYTERANGE:10", "a"],
      ["#EXT-X-BYTERANGE:5@0", "a", "#EXTINF:1,", "#EXT-X-BYTERANGE:5", "b"],
      ["#EXT-X-BYTERANGE:0@0", "a"], ["#EXT-X-BYTERANGE:-1@0", "a"],
      ["#EXT-X-BYTERANGE:1@2@3", "a"],
      ["#EXT-X-BYTERANGE:99999999999999999999@0", "a"], ["#EXT-X-BYTERANGE:x", "a"],
    ] {
      #expect(flaw(["#EXTINF:1,"] + lines)?.kind == .inputUnreadable, "\(lines)")
    }
  }

  @Test("a map applies to the segments that follow it, and one without a URI is refused")
  func mapsApplyToWhatFollows() throws {
    let list = try read([
      "#EXTINF:1,", "a", "#EXT-X-MAP:URI=\"i,1.mp4\",BYTERANGE=\"700@20\"", "#EXTINF:1,", "b",
      "#EXT-X-MAP:BYTERANGE=\"9\",URI=\"j\"", "#EXTINF:1,", "c",
    ])
    #expect(
      list.segments.map(\.map) == [
        nil, SegmentMap(uri: "i,1.mp4", range: 20..<720), SegmentMap(uri: "j", range: 0..<9),
      ])
    #expect(flaw(["#EXT-X-MAP:BYTERANGE=\"9\"", "#EXTINF:1,", "c"]) != nil)
  }

  @Test("a key applies to segments until the next one, and broken or unknown keys are unsupported")
  func keysApplyByFormatUntilTheNext() throws {
    let list = try read([
      "#EXTINF:1,", "a", "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\"", "#EXTINF:1,", "b",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x00000000000000000000000000000aFf", "#EXTINF:1,",
      "c",
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
      "#EXTINF:1,", "d", "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1,", "e",
      "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"x\",KEYFORMAT=\"w\"", "#EXTINF:1,", "f",
    ])
    let vector = [UInt8](repeating: 0, count: 14) + [0x0A, 0xFF]
    let second = SegmentKey.aes128(uri: "k2", vector: vector)
    #expect(
      list.segments.map(\.key) == [
        nil, .aes128(uri: "k1", vector: nil), second, second, nil, .unsupported("SAMPLE-AES-CTR"),
      ])
    for bad in [
      "METHOD=AES-128", "URI=\"x\"", "METHOD=AES-128,URI=\"k\",IV=0xZZ", "METHOD=AES-256",
    ] {
      let key = try read(["#EXT-X-KEY:" + bad, "#EXTINF:1,", "a"]).segments[0].key
      guard case .unsupported = key else {
        Issue.record("\(bad) gives \(String(describing: key))")
        continue
      }
    }
  }

  @Test("sections of a playlist end at discontinuities, other maps and gaps")
  func sectionsEndWhereTheContainerDoes() throws {
    let list = try read([
      "#EXTINF:1,", "a", "#EXTINF:1,", "b", "#EXT-X-DISCONTINUITY", "#EXTINF:2,", "c",
      "#EXT-X-MAP:URI=\"m\"", "#EXTINF:1,", "d", "#EXT-X-MAP:URI=\"m\"", "#EXTINF:1,", "e",
      "#EXT-X-GAP", "#EXTINF:4,", "f", "#EXTINF:1,", "g",
    ])
    let sections = StreamSection.sections(of: list.segments)
    #expect(sections.map(\.firstSegment) == [0, 2, 3, 5, 6])
    #expect(sections.map(\.segmentCount) == [2, 1, 2, 1, 1])
    #expect(sections.map(\.isGap) == [false, false, false, true, false])
    #expect(sections.map(\.duration) == [2, 2, 2, 4, 1].map { $0 * 1_000_000_000 })
  }

  @Test("broken playlists are refused with their line or reason, and EXT-X-DEFINE as unsupported")
  func brokenListsNameTheLine() {
    #expect(flaw(["#EXTINF:1,", "a", "b"])?.message.contains("line 4") == true)
    #expect(flaw(["#EXTINF:one,", "a"])?.message.contains("line 2") == true)
    #expect(flaw(["#EXTINF:-1,", "a"]) != nil)
    #expect(flaw(["#EXTINF:1,", "a", "#EXT-X-MEDIA-SEQUENCE:3"]) != nil)
    #expect(flaw(["#EXT-X-MEDIA-SEQUENCE:18446744073709551615", "#EXTINF:1,", "a"]) != nil)
    #expect(flaw(["#EXT-X-ENDLIST"])?.message.contains("no segments") == true)
    #expect(flaw(["#EXTINF:31536000,", "a", "#EXTINF:1,", "b"])?.message.contains("year") == true)
    #expect(
      flaw(["#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"", "#EXTINF:1,", "a"])?.kind == .unsupportedFeature
    )
  }

  @Test(
    "a text that doesn't begin with a line #EXTM3U is no playlist",
    arguments: [
      "", "#EXTM3", "#EXTM3U8\n", "\u{FEFF}#EXTM3U8\n", "\u{FEFF}\u{FEFF}#EXTM3U\n", "RIFF",
      " #EXTM3U\n",
    ])
  func otherTextIsNoList(text: String) {
    #expect(throws: MediaError.self) { try MediaPlaylist(Array(text.utf8), name: "list") }
    #expect(!PlaylistLine.beginsPlaylist(text.utf8.prefix(PlaylistLine.headLength)))
  }

  /// RFC 8216, 4.1 forbids the mark, but a list that an editor put it into is read.
  @Test("a playlist that begins with a byte order mark is read like the same one without")
  func aByteOrderMarkIsPassedOver() throws {
    let folder = try TemporaryFolder()
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.wav\n#EXT-X-ENDLIST\n"
    let plain = try MediaPlaylist(Array(text.utf8), name: "list")
    let marked = try MediaPlaylist(Array("\u{FEFF}\(text)".utf8), name: "list")
    #expect(marked.segments.map(\.uri) == plain.segments.map(\.uri) && marked.isComplete)
    try Data("\u{FEFF}\(text)".utf8).write(to: folder.url("a.m3u8"))
    let input = try MediaInput(path: folder.file("a.m3u8"), log: DiagnosticLog())
    #expect(input.presentation?.sections.count == 1)
    #expect(try LocalPlaylist(path: folder.file("a.m3u8")).hasByteOrderMark)
  }

  @Test("attribute lists keep commas within quotes, and the first of two values counts")
  func attributeListsAreReadByTheirGrammar() {
    let attributes = PlaylistAttributes("A=1,B=\"x,y=z\",C=YES, D=0x1F,,E,F=\"open,G=2")
    #expect(attributes["A"] == "1" && attributes["B"] == "x,y=z" && attributes.isSet("C"))
    #expect(attributes.bytes16("D") == [UInt8](repeating: 0, count: 15) + [0x1F])
    #expect(attributes["E"] == nil && attributes["F"] == "open,G=2" && attributes["G"] == nil)
    #expect(PlaylistAttributes("A=1,A=2")["A"] == "1")
    let marked = PlaylistAttributes("A=\"x\"\u{301},B=\u{301}\"y\",C\u{301}=2,D=3")
    #expect(marked["A"] == "x" && marked["D"] == "3")
    #expect(PlaylistAttributes("A=0x+1")["A"] == "0x+1")
    #expect(PlaylistAttributes("A=0x+1").bytes16("A") == nil)
    #expect(PlaylistAttributes("").integer("A") == nil)
  }

  @Test("a playlist with up to six other bytes is read or refused")
  func damagedPlaylistsAreReadOrRefused() {
    let text =
      "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:999999999999999999\n#EXT-X-MAP:URI=\"m\",BYTERANGE=\"9@1\"\n"
      + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x99\n#EXTINF:9.9,\n#EXT-X-BYTERANGE:9@9\na\n"
      + "#EXT-X-DISCONTINUITY\n#EXTINF:9,\n#EXT-X-BYTERANGE:999999999999999999\na\n#EXT-X-ENDLIST\n"
    let bytes = Array(text.utf8)
    var noise = SeededNoise(seed: 5)
    var read = 0
    let rounds = Soak.rounds(1000, soak: 200_000)
    for round in 0..<rounds {
      var copy = bytes
      for _ in 0..<(1 + round % 6) {
        copy[Int.random(in: 7..<copy.count, using: &noise)] = UInt8.random(
          in: 0...255, using: &noise)
      }
      if round % 5 == 0 { copy.removeLast(Int.random(in: 0..<copy.count - 7, using: &noise)) }
      if let list = try? MediaPlaylist(copy, name: "list") {
        read += StreamSection.sections(of: list.segments).count
      }
      _ = try? MultivariantPlaylist(copy, name: "list")
    }
    #expect(read > rounds / 20)
  }
}
