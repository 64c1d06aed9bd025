// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Testing

@testable import MediaOut

/// Tags of ID3v2 as bytes, taken apart here by id3.org's ID3v2.3.0 and ID3v2.4.0.
@Suite struct ID3BlockTests {
  /// The frames of a tag.
  struct Frame {
    let id: String
    let content: [UInt8]

    /// The frames of `bytes`, whose sizes have `bits` bits a byte, up to padding.
    static func all(_ bytes: some Sequence<UInt8>, bits: Int) -> [Frame] {
      var rest = Array(bytes)[...]
      var frames: [Frame] = []
      while rest.count > 10, rest.first != 0 {
        let size = rest.dropFirst(4).prefix(4).reduce(0) { $0 << bits | Int($1) }
        frames.append(
          Frame(
            id: String(decoding: rest.prefix(4), as: UTF8.self),
            content: Array(rest.dropFirst(10).prefix(size))))
        rest = rest.dropFirst(10 + size)
      }
      return frames
    }

    /// The texts behind the byte of the encoding: ASCII, or UTF-16 of which each text has its mark.
    var texts: [String] {
      guard content.first == 1 else {
        return content.dropFirst().split(separator: 0, omittingEmptySubsequences: false).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
      let units = stride(from: 1, to: content.count - 1, by: 2).map {
        UInt16(content[$0]) | UInt16(content[$0 + 1]) << 8
      }
      return units.split(separator: 0, omittingEmptySubsequences: false).map {
        #expect($0.first == 0xFEFF)
        return String(decoding: $0.dropFirst(), as: UTF16.self)
      }
    }
  }

  private static let picture: AttachedPicture = {
    var picture = AttachedPicture(bytes: [0xFF, 0xD8, 0xFF, 1, 2, 3], width: 1, height: 1)
    picture.text = "Vörne"
    return picture
  }()

  private func frames(_ tags: [(String, String)], pictures: [AttachedPicture] = []) -> [Frame] {
    let block = ID3Block(MediaTags(tags), pictures: pictures, version: .third)
    return Frame.all(block.bytes.dropFirst(10), bits: 8)
  }

  @Test("the head states version and size; zeros behind the frames count")
  func theHeadStatesItsSize() {
    let block = ID3Block(MediaTags([("title", "A")]), version: .third)
    let bytes = block.bytes(padding: 300)
    #expect(bytes.prefix(6).elementsEqual([0x49, 0x44, 0x33, 3, 0, 0]))
    #expect(bytes[6...9].reduce(0) { $0 << 7 | Int($1) } == bytes.count - 10)
    #expect(bytes.suffix(300).allSatisfy { $0 == 0 })
    #expect(ID3Block(MediaTags(), version: .third).bytes(padding: 300).isEmpty)
  }

  @Test("texts are ASCII where that is enough, and UTF-16 otherwise")
  func textsAreReadByOldPlayers() {
    let found = frames([("title", "Plain"), ("artist", "Ein Gespräch – 二"), ("genre", "Podcast")])
    #expect(found.map(\.id) == ["TIT2", "TPE1", "TCON"])
    #expect(found.map { $0.content.first } == [0, 1, 0])
    #expect(found.map(\.texts) == [["Plain"], ["Ein Gespräch – 二"], ["Podcast"]])
  }

  @Test(
    "a date has the frames of version 3, and what they can't say besides",
    arguments: [
      ("2026", [["TYER", "2026"]]), ("2026-11-28", [["TYER", "2026"], ["TDAT", "2811"]]),
      ("2026-11", [["TYER", "2026"], ["TXXX", "DATE", "2026-11"]]),
      ("autumn", [["TXXX", "DATE", "autumn"]]),
    ] as [(String, [[String]])])
  func datesAreTakenApart(date: String, expected: [[String]]) {
    #expect(frames([("date", date)]).map { [$0.id] + $0.texts } == expected)
  }

  @Test("track and disc have their totals, comments their language, and unknown names TXXX")
  func theOtherFramesAreAsPlayersWant() {
    let found = frames([
      ("track", "3"), ("tracktotal", "10"), ("disc", "1"), ("disctotal", "2"),
      ("comment", "first"), ("comment", "second"), ("MOOD", "calm"), ("My Own", "ä"),
    ])
    #expect(found.map(\.id) == ["TRCK", "TPOS", "COMM", "COMM", "TXXX", "TXXX"])
    #expect(found[0].texts == ["3/10"] && found[1].texts == ["1/2"])
    #expect(found[2].content == [0] + Array("XXX".utf8) + [0] + Array("first".utf8))
    #expect(found[3].content == [0] + Array("XXX2".utf8) + [0] + Array("second".utf8))
    #expect(found[4].texts == ["MOOD", "calm"] && found[5].texts == ["My Own", "ä"])
  }

  @Test("a picture has its type, its kind, its text and its bytes")
  func thePictureIsWhole() throws {
    let found = try #require(frames([], pictures: [ID3BlockTests.picture]).first)
    let text: [UInt8] =
      [0xFF, 0xFE] + "Vörne".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(
      found.content == [1] + Array("image/jpeg".utf8) + [0, 3] + text + [0, 0]
        + ID3BlockTests.picture.bytes)
  }

  @Test("chapters are listed in order, in milliseconds, each up to the next one")
  func chaptersAreListed() {
    var block = ID3Block(MediaTags(), version: .third)
    let markers = [(0, "Eins"), (220_511, ""), (480_000, "Zwei – 二")].map {
      ProgrammeMarker(time: MediaTime(ticks: Int64($0.0), rate: 48_000), title: $0.1)
    }
    block.add(markers, end: MediaTime(ticks: 480_123, rate: 48_000))
    let found = Frame.all(block.bytes.dropFirst(10), bits: 8)
    #expect(found.map(\.id) == ["CTOC", "CHAP", "CHAP", "CHAP"])
    #expect(found[0].content == Array("toc\0\u{3}\u{3}ch0\0ch1\0ch2\0".utf8))
    let times = found.dropFirst().map { frame in
      [4, 8].map { place in
        frame.content[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      }
    }
    #expect(times == [[0, 4594], [4594, 10_000], [10_000, 10_003]])
    let titles = found.dropFirst().map { frame in
      Frame.all(frame.content.dropFirst(20), bits: 8).map { [$0.id] + $0.texts }
    }
    #expect(titles == [[["TIT2", "Eins"]], [], [["TIT2", "Zwei – 二"]]])
  }

  @Test("more chapters than a table of contents counts are left out")
  func theTableIsFull() {
    var block = ID3Block(MediaTags(), version: .third)
    let markers = (0..<300).map {
      ProgrammeMarker(time: MediaTime(ticks: $0, rate: 1), title: "")
    }
    block.add(markers, end: MediaTime(ticks: 300, rate: 1))
    let found = Frame.all(block.bytes.dropFirst(10), bits: 8)
    #expect(found.count == 256 && found[0].content[5] == 255)
  }

  @Test("version 4 stays as WAV files have it: UTF-8, sizes of seven bits a byte, dates whole")
  func versionFourIsUTF8() {
    let long = String(repeating: "ä", count: 100)
    let block = ID3Block(MediaTags([("date", "2026-11-28"), ("title", long)]))
    #expect(block.bytes[3] == 4)
    let found = Frame.all(block.bytes.dropFirst(10), bits: 7)
    #expect(found.map(\.id) == ["TDRC", "TIT2"])
    #expect(found[1].content == [3] + Array(long.utf8))
  }
}
