// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ISOBMFF

@Suite struct TagsBoxTests {
  private func item(_ type: [UInt8], _ kind: UInt32, _ value: [UInt8]) -> [UInt8] {
    let data = BoxBytes.box("data", BoxBytes.number(kind) + [0, 0, 0, 0] + value)
    return BoxBytes.number(UInt32(data.count + 8)) + type + data
  }

  private func data(_ kind: UInt32, _ value: [UInt8]) -> [UInt8] {
    BoxBytes.box("data", BoxBytes.number(kind) + [0, 0, 0, 0] + value)
  }

  private func boxes(_ items: [UInt8]) -> [UInt8] {
    let handler =
      [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9)
    return BoxBytes.box(
      "udta",
      BoxBytes.box(
        "meta", [0, 0, 0, 0] + BoxBytes.box("hdlr", handler) + BoxBytes.box("ilst", items)))
  }

  @Test("no tags and an empty title give no box")
  func noTagsMeanNoBox() {
    #expect(TagsBox(MovieTags()).encoded.isEmpty)
    var empty = MovieTags()
    empty.items = [MovieItem("©nam", .text(""))]
    #expect(TagsBox(empty).encoded.isEmpty)
  }

  @Test("texts, numbers, freeform items and JPEG or PNG pictures are written, a GIF isn't")
  func textsNumbersAndPictures() {
    var tags = MovieTags()
    tags.items = [
      MovieItem("©nam", .text("Ä"), .text("B")), MovieItem("trkn", .number(3, of: 12)),
      MovieItem("disk", .number(1, of: 0)), MovieItem("tmpo", .integer(300, bytes: 2)),
      MovieItem(freeform: "ISRC", values: [.text("x")]),
    ]
    tags.pictures = [[0xFF, 0xD8, 0xFF, 0xE0]]
    let mean = BoxBytes.box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
    let name = BoxBytes.box("name", [0, 0, 0, 0] + Array("ISRC".utf8))
    let expected =
      BoxBytes.number(UInt32(8 + 18 + 17)) + [0xA9] + Array("nam".utf8) + data(1, Array("Ä".utf8))
      + data(1, Array("B".utf8))
      + item(Array("trkn".utf8), 0, [0, 0, 0, 3, 0, 12, 0, 0])
      + item(Array("disk".utf8), 0, [0, 0, 0, 1, 0, 0])
      + item(Array("tmpo".utf8), 21, [1, 44])
      + BoxBytes.box("----", mean + name + data(1, Array("x".utf8)))
      + item(Array("covr".utf8), 13, [0xFF, 0xD8, 0xFF, 0xE0])
    #expect(TagsBox(tags).encoded == boxes(expected))
    tags.pictures = [[0x89, 0x50, 0x4E, 0x47, 1]]
    #expect(
      TagsBox(tags).encoded.suffix(9) == [14, 0, 0, 0, 0, 0x89, 0x50, 0x4E, 0x47, 1].suffix(9))
    tags.pictures = [Array("GIF89a".utf8)]
    #expect(TagsBox(tags).encoded.count == boxes(expected).count - 28)
  }

  @Test("an audiobook has its kind once, whatever the source's tags say")
  func audiobooksHaveOneKind() {
    var tags = MovieTags()
    tags.isAudiobook = true
    tags.items = [
      MovieItem("stik", .integer(1, bytes: 1)), MovieItem("pgap", .integer(0, bytes: 1)),
    ]
    #expect(
      TagsBox(tags).encoded
        == boxes(item(Array("stik".utf8), 21, [2]) + item(Array("pgap".utf8), 21, [1])))
  }

  /// Reads what was written, and the same after each single byte is changed.
  @Test("the list is read back, and a damaged one gives fewer items and no crash")
  func theListIsReadBack() throws {
    var tags = MovieTags()
    tags.items = [
      MovieItem("©nam", .text("Ä"), .text("B")), MovieItem("trkn", .number(3, of: 12)),
      MovieItem(freeform: "My Own", values: [.text("x"), .text("y")]),
      MovieItem("tmpo", .integer(300, bytes: 2)),
    ]
    tags.pictures = [[0xFF, 0xD8, 0xFF, 0xE0]]
    let bytes = BoxBytes.box("moov", TagsBox(tags).encoded)
    func read(_ bytes: [UInt8]) -> ItemList? {
      ItemList(
        ByteSource(bytes))
    }
    let items = try #require(read(bytes)).items
    #expect(items.map(\.type) == ["©nam", "trkn", "----", "tmpo"])
    #expect(items[0].values.map(\.text) == ["Ä", "B"])
    #expect(items[1].values[0].numbers.map { [$0.number, $0.count] } == [3, 12])
    #expect(items[2].name == "My Own" && items[2].values.map(\.text) == ["x", "y"])
    #expect(items[3].values.map(\.integer) == [300])
    for place in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        #expect((read(damaged)?.items.count ?? 0) < 20)
      }
    }
    for length in bytes.indices { _ = read(Array(bytes[..<length])) }
  }
}
