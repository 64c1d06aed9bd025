// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Readers of tags, with bytes made by hand.
@Suite struct TagReaderTests {
  private static func pairs(_ tags: MediaTags) -> [String] {
    tags.entries.map { "\($0.name)=\($0.value)" }
  }

  // MARK: Vorbis comments

  private static func little(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func block(_ comments: [[UInt8]]) -> [UInt8] {
    let vendor = Array("maker".utf8)
    return little(vendor.count) + vendor + little(comments.count)
      + comments.flatMap { little($0.count) + $0 }
  }

  @Test("comments arrive in order with their case and all values")
  func commentsArriveInOrder() {
    let latin: [UInt8] = Array("C=".utf8) + [0xE4]
    let bytes = TagReaderTests.block(
      ["Title=Ä=b", "artist=A", "ARTIST=B", "=no name", "no sign", "EMPTY="].map { Array($0.utf8) }
        + [latin])
    let tags = VorbisComments.tags(bytes[...])
    #expect(TagReaderTests.pairs(tags) == ["Title=Ä=b", "artist=A", "ARTIST=B", "C=ä"])
    #expect(tags.values("Artist") == ["A", "B"] && tags["TITLE"] == "Ä=b")
  }

  @Test("comments that reach beyond their block end the list")
  func damagedCommentsEndTheList() {
    let bytes = TagReaderTests.block([Array("A=1".utf8), Array("B=2".utf8)])
    for length in bytes.indices {
      let found = VorbisComments.tags(bytes[..<length]).entries.count
      #expect(found == (length < bytes.count - 7 ? 0 : 1), "\(length)")
    }
    // A vendor, a count and a comment of 4 GiB.
    let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(VorbisComments.tags((huge + bytes)[...]).isEmpty)
    #expect(VorbisComments.tags(([0, 0, 0, 0] + huge + huge)[...]).isEmpty)
    #expect(
      TagReaderTests.pairs(
        VorbisComments.tags(([0, 0, 0, 0] + huge + [3, 0, 0, 0] + Array("A=1".utf8))[...])) == [
          "A=1"
        ])
  }

  // MARK: ID3

  private static func frame(_ id: String, _ content: [UInt8], flags: [UInt8] = [0, 0]) -> [UInt8] {
    Array(id.utf8)
      + (id.utf8.count == 3
        ? [0, 0, UInt8(content.count)] : [0, 0, 0, UInt8(content.count)] + flags)
      + content
  }

  private static func tag(_ version: UInt8, flags: UInt8 = 0, _ frames: [UInt8]) -> [UInt8] {
    Array("ID3".utf8) + [
      version, 0, flags, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F),
    ]
      + frames
  }

  private static func latin(_ text: String) -> [UInt8] { [0] + Array(text.utf8) }

  /// UTF-16 with its mark, the least significant byte first.
  private static func wide(_ text: String) -> [UInt8] {
    [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  static let tags: [(name: String, bytes: [UInt8], expected: [String])] = [
    (
      "version 2",
      tag(
        2,
        frame("TT2", [1] + wide("Ä日")) + frame("TRK", latin("3/4"))
          + frame("TXX", latin("My\0own")) + frame("COM", [0] + Array("engd\0words".utf8))),
      ["title=Ä日", "track=3/4", "My=own", "comment=words"]
    ),
    (
      "version 3, whose date is in two frames",
      tag(
        3, frame("TYER", latin("2020")) + frame("TDAT", latin("0403")) + frame("TPE3", [0, 0xE4])),
      ["date=2020-03-04", "conductor=ä"]
    ),
    (
      "version 3 with zeros after FF, and a frame of a group",
      tag(
        3, flags: 0x80,
        Array("TIT2".utf8) + [0, 0, 0, 3, 0, 0] + [0, 0xFF, 0, 0x41]
          + frame("TALB", [9] + latin("B"), flags: [0, 0x20])),
      ["title=ÿA", "album=B"]
    ),
    (
      "version 4: several values, lyrics, owner of a name, people",
      tag(
        4,
        frame("TPE1", [3] + Array("A\0B".utf8)) + frame("USLT", [3] + Array("XXX\0la\nla".utf8))
          + frame("UFID", Array("http://musicbrainz.org\0id".utf8))
          + frame("TIPL", [3] + Array("producer\0P".utf8))
          + frame("TMCL", [3] + Array("guitar\0G".utf8))
          + frame("COMM", [3] + Array("engiTunNORM\0 01".utf8))),
      [
        "artist=A", "artist=B", "lyrics=la\nla", "musicbrainz_trackid=id", "PRODUCER=P",
        "PERFORMER=G (guitar)", "iTunNORM= 01",
      ]
    ),
    (
      "frames that are compressed or encrypted are passed over",
      tag(
        4,
        frame("TIT2", latin("x"), flags: [0, 8]) + frame("TIT2", latin("y"), flags: [0, 4])
          + frame("TALB", [0, 0, 0, 2] + latin("z"), flags: [0, 1])), ["album=z"]
    ),
    (
      "genres by number have their names, and padding ends the tag",
      tag(
        3,
        frame("TCON", latin("(17)")) + frame("TIT2", latin("x")) + [0, 0, 0, 0, 0, 0]
          + frame("TALB", latin("y"))), ["genre=Rock", "title=x"]
    ),
    (
      "genres: a number, a number with a word, two numbers, a bracket",
      tag(
        4,
        frame(
          "TCON", latin("8\0(4)Eurodisco\0(51)(39)\0((Live)\0(Foo)\0RX\0Jazz\0999"))),
      [
        "genre=Jazz", "genre=Disco", "genre=Eurodisco", "genre=Techno-Industrial", "genre=Noise",
        "genre=(Live)", "genre=(Foo)", "genre=Remix", "genre=Jazz", "genre=999",
      ]
    ),
    (
      "frames without content, of names of version 2, and of unknown names are passed over or read",
      tag(
        3,
        frame("TPE1", []) + frame("TCP\0", latin("1")) + frame("a~b!", latin("x"))
          + frame("TPE2", latin("V"))), ["compilation=1", "album_artist=V"]
    ),
    (
      "plain sizes in version 4, as iTunes wrote them",
      tag(
        4,
        Array("TIT2".utf8) + [0, 0, 1, 0x32, 0, 0, 0] + [UInt8](repeating: 0x61, count: 305)
          + frame("TPE2", latin("V"))),
      ["title=" + String(repeating: "a", count: 305), "album_artist=V"]
    ),
    (
      "UTF-16 without a mark has the order of the text before, or that of Windows",
      tag(
        3,
        frame("TXXX", [1] + wide("M") + [0, 0] + wide("Happy").dropFirst(2))
          + frame("TCOM", [1] + wide("C").dropFirst(2))
          + frame("TIT2", [2, 0, 0x42])),
      ["M=Happy", "composer=C", "title=B"]
    ),
    (
      "movements",
      tag(
        4,
        frame("MVNM", latin("Allegro")) + frame("MVIN", latin("2/4")) + frame("GRP1", latin("G"))),
      ["movement_name=Allegro", "movement=2/4", "grouping=G"]
    ),
  ]

  @Test("frames of all versions are read", arguments: tags)
  func framesAreRead(name: String, bytes: [UInt8], expected: [String]) throws {
    let found = try #require(ID3Frames(bytes)).tags
    #expect(TagReaderTests.pairs(found) == expected)
  }

  @Test("tags cut or damaged anywhere give fewer values and no crash", arguments: tags)
  func damageIsSurvived(name: String, bytes: [UInt8], expected: [String]) {
    for length in bytes.indices { _ = ID3Frames(Array(bytes[..<length])) }
    for place in bytes.indices.dropFirst(3) {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        #expect((ID3Frames(damaged)?.tags.entries.count ?? 0) <= bytes.count)
      }
    }
  }

  // MARK: The chunk

  @Test(
    "the chunk with a tag is found before and after the sound, and a size of 4 GiB ends the search")
  func theChunkIsFound() throws {
    func chunk(_ id: String, _ content: [UInt8], big: Bool = false) -> [UInt8] {
      let size = TagReaderTests.little(content.count)
      return Array(id.utf8) + (big ? size.reversed() : size) + content
        + (content.count % 2 == 0 ? [] : [0])
    }
    let sound = chunk("data", [1, 2, 3])
    let tag = chunk("id3 ", TagReaderTests.tags[0].bytes)
    let long = Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + [1, 2, 3, 0]
    let sizes = chunk(
      "ds64", [UInt8](repeating: 0, count: 8) + [3] + [UInt8](repeating: 0, count: 19))
    let cases: [(bytes: [UInt8], place: Int64?)] = [
      (Array("RIFF\0\0\0\0WAVE".utf8) + sound + tag, 12 + 12 + 8),
      (Array("RIFF\0\0\0\0WAVE".utf8) + tag + sound, 12 + 8),
      (Array("RF64\0\0\0\0WAVE".utf8) + sizes + long + tag, 12 + 36 + 12 + 8),
      (Array("RIFF\0\0\0\0WAVE".utf8) + long + tag, nil),
      (
        Array("FORM\0\0\0\0AIFF".utf8) + chunk("SSND", [1, 2, 3], big: true)
          + chunk("ID3 ", [7], big: true), 12 + 12 + 8
      ),
      (Array("RIFF\0\0\0\0AVI ".utf8) + tag, nil), (Array("RIFF".utf8), nil),
    ]
    for (bytes, place) in cases {
      let media = try MadeMedia("a.wav", bytes: .init(bytes))
      let found = try withExtendedLifetime(media) {
        SoundChunks.tag(in: try LocalFile(path: media.path))
      }
      #expect(found == place)
    }
  }
}
