import Testing

@testable import ISOBMFF

@Suite struct TagsBoxTests {
  private func item(_ type: [UInt8], _ kind: UInt32, _ value: [UInt8]) -> [UInt8] {
    let data = BoxBytes.box("data", BoxBytes.number(kind) + [0, 0, 0, 0] + value)
    return BoxBytes.number(UInt32(data.count + 8)) + type + data
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
    empty.title = ""
    #expect(TagsBox(empty).encoded.isEmpty)
  }

  @Test("title, track number and JPEG or PNG covers are written, a GIF isn't")
  func textsNumbersAndPictures() {
    var tags = MovieTags()
    tags.title = "Ä"
    tags.trackNumber = 3
    tags.trackCount = 12
    tags.cover = [0xFF, 0xD8, 0xFF, 0xE0]
    let expected =
      item([0xA9] + Array("nam".utf8), 1, Array("Ä".utf8))
      + item(Array("trkn".utf8), 0, [0, 0, 0, 3, 0, 12, 0, 0])
      + item(Array("covr".utf8), 13, [0xFF, 0xD8, 0xFF, 0xE0])
    #expect(TagsBox(tags).encoded == boxes(expected))
    tags.cover = [0x89, 0x50, 0x4E, 0x47, 1]
    #expect(
      TagsBox(tags).encoded.suffix(9) == [14, 0, 0, 0, 0, 0x89, 0x50, 0x4E, 0x47, 1].suffix(9))
    tags.cover = Array("GIF89a".utf8)
    #expect(TagsBox(tags).encoded.count == boxes(expected).count - 28)
  }
}
