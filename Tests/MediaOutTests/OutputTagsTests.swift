import MediaOut
import Testing

@Suite struct OutputTagsTests {
  @Test("a tag of 80,000 bytes is cut to the longest and reported by name")
  func longTagsAreCutAndNamed() {
    var tags = OutputTags()
    tags.title = "short"
    tags.comment = String(repeating: "é", count: 40_000)
    #expect(tags.cutToFit() == ["comment"])
    #expect(tags.title == "short")
    #expect(tags.comment?.utf8.count == OutputTags.longest)
    #expect(tags.cutToFit().isEmpty)
  }

  @Test("a tag is cut between characters")
  func noCharacterIsCutInTwo() {
    var tags = OutputTags()
    // The limit lies inside a character of two bytes.
    tags.title = "x" + String(repeating: "é", count: 40_000)
    #expect(tags.cutToFit() == ["title"])
    #expect(tags.title?.utf8.count == OutputTags.longest - 1)
    #expect(tags.title?.contains("\u{FFFD}") == false)
  }
}
