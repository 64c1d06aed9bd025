import Testing

@testable import MediaIn

@Suite struct SubtitleCueTests {
  @Test(
    "override tags and drawings are removed from a cue, line breaks kept, and styles noticed",
    arguments: [
      ("plain", "plain", false), ("{\\i1}it{\\i0}", "it", true), ("a\\Nb\\nc", "a\nb\nc", false),
      ("a\\hb", "a\u{A0}b", false), ("  a \\N\\N b ", "a\nb", false), ("{\\p1}", "", true),
      ("50\\% off\\", "50\\% off\\", false), ("{open", "", true),
      ("a{\\p1}m 0 0 l 100 0 100 100{\\p0}b", "ab", true), ("{\\an7\\p2}m 0 0\\Nl 9 9", "", true),
      ("{\\pos(1,2)\\pbo3}kept", "kept", true),
      // To `Character`, a brace with a mark is no brace, and CR with LF neither of them.
      ("{\u{301}\\i1}it", "it", true), ("a\r\n\r\nb\\\r\nc\r", "a\nb\\\nc", false),
      ("\\N\u{301}a", "\u{301}a", false),
    ])
  func overrideTagsGo(line: String, text: String, isStyled: Bool) {
    let found = SubtitleCue.plain(line)
    #expect(found.text == text && found.isStyled == isStyled)
  }
}
