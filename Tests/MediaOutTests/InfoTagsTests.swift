// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut
import Testing

@Suite struct InfoTagsTests {
  @Test("a tag of 80,000 bytes is cut to the longest and reported by name")
  func longTagsAreCutAndNamed() {
    let tags = InfoTags(
      MediaTags([("TITLE", "short"), ("comment", String(repeating: "é", count: 40_000))]))
    #expect(tags.cut == ["comment"])
    #expect(tags.texts["INAM"] == "short")
    #expect(tags.texts["ICMT"]?.utf8.count == InfoTags.longest)
  }

  @Test("a tag is cut between characters")
  func noCharacterIsCutInTwo() {
    // The limit lies inside a character of two bytes.
    let tags = InfoTags(MediaTags([("title", "x" + String(repeating: "é", count: 40_000))]))
    #expect(tags.cut == ["title"])
    #expect(tags.texts["INAM"]?.utf8.count == InfoTags.longest - 1)
    #expect(tags.texts["INAM"]?.contains("\u{FFFD}") == false)
  }

  @Test("several values are one text, and tags without a chunk aren't there")
  func valuesAreJoined() {
    let tags = InfoTags(
      MediaTags([("ARTIST", "A"), ("isrc", "x"), ("Artist", "B"), ("TRACKNUMBER", "3/12")]))
    #expect(tags.texts == ["IART": "A; B", "ITRK": "3/12"])
  }
}
