// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

@Suite struct ASSTextTests {
  @Test(
    "override tags and drawings are removed from a cue, line breaks kept, and styles that are lost noticed",
    arguments: [
      ("plain", "plain", false), ("{\\i1}it{\\i0}", "it", false), ("a\\Nb\\nc", "a\nb\nc", false),
      ("a\\hb", "a\u{A0}b", false), ("  a \\N\\N b ", "a\nb", false), ("{\\p1}", "", true),
      ("50\\% off\\", "50\\% off\\", false), ("{open", "", true),
      ("a{\\p1}m 0 0 l 100 0 100 100{\\p0}b", "ab", true), ("{\\an7\\p2}m 0 0\\Nl 9 9", "", true),
      ("{\\pos(1,2)\\pbo3}kept", "kept", true), ("{\\c&H0000FF&}red", "red", true),
      ("{a comment}kept", "kept", false), ("{\\s1}struck", "struck", true),
      ("{\\bord2\\blur3}a", "a", true), ("{\\r}a", "a", false), ("{\\rTop}a", "a", true),
      // To `Character`, a brace with a mark is no brace, and CR with LF neither of them.
      ("{\u{301}\\i1}it", "it", false), ("a\r\n\r\nb\\\r\nc\r", "a\nb\\\nc", false),
      ("\\N\u{301}a", "\u{301}a", false),
    ])
  func overrideTagsGo(line: String, text: String, isStyled: Bool) {
    let found = ASSText(line)
    #expect(found.text.plain == text && found.isStyled == isStyled)
  }

  @Test(
    "braces of other formats than ASS are text, but for those around tags",
    arguments: [
      ("Set {1, 2} and {x} end", "Set {1, 2} and {x} end", false), ("{open", "{open", false),
      ("{a {\\i1}b{\\i0}}", "{a b}", false), ("{\\an8}{x}", "{x}", true),
      ("a} {\\Nb", "a} {\nb", false), ("{}", "{}", false), ("{\\Na}", "{\na}", false),
    ])
  func bracesOfOtherFormatsStay(line: String, text: String, isStyled: Bool) {
    let found = ASSText(line, isASS: false)
    #expect(found.text.plain == text && found.isStyled == isStyled)
  }

  @Test(
    "bold, italic and underlined characters stay so",
    arguments: [
      ("a{\\i1}b{\\i0}c", ["a", "/b", "c"]), ("{\\b1\\i1}a{\\b0}b", ["*/a", "/b"]),
      ("{\\u1}a{\\r}b", ["_a", "b"]), ("{\\b700}a{\\b400}b", ["*a", "b"]),
      ("{\\i1}a\\N  b{\\i}c", ["/a\nb", "c"]), ("{\\i1} {\\i0}a", ["a"]),
      ("{\\i1}{\\i0}", []),
    ] as [(String, [String])])
  func facesStay(line: String, runs: [String]) {
    #expect(ASSText(line).text.runs.map(Self.told) == runs)
  }

  private static let script = """
    [Script Info]\r
    [V4+ Styles]\r
    Format: Name, Fontname, PrimaryColour, Bold, Italic, Underline, StrikeOut, Alignment\r
    Style: Default,Arial,&H00FFFFFF,0,0,0,0,2\r
    Style: It,Arial,&H00ffffff,0,-1,0,0,2\r
    Style: Red,Arial,&H000000FF,-1,0,0,0,8\r
    Style: Struck,Arial,&H00FFFFFF,0,0,0,-1,2\r
    [Events]\r
    Format: Layer, Start, End, Style, Text\r
    """

  @Test(
    "texts have the faces of their styles, and what else a style has is noticed",
    arguments: [
      ("Default", "a", ["a"], false), ("It", "a{\\i0}b{\\i}c", ["/a", "b", "/c"], false),
      ("Red", "a", ["*a"], true), ("Red", "", [], false), ("Struck", "a", ["a"], true),
      ("It", "{\\b1}a{\\r}b", ["*/a", "/b"], false), ("*it", "a", ["/a"], false),
      ("Default", "a{\\rIt}b{\\r}c", ["a", "/b", "c"], false),
      ("It", "a{\\rRed}b", ["/a", "*b"], true), ("Unknown", "a", ["a"], false),
    ] as [(String, String, [String], Bool)])
  func stylesGiveFaces(style: String, line: String, runs: [String], isStyled: Bool) {
    let found = ASSText(line, style: style, of: ASSStyles(Array(Self.script.utf8)))
    #expect(found.text.runs.map(Self.told) == runs && found.isStyled == isStyled)
  }

  @Test(
    "tags of WebVTT keep bold, italic and underlined characters",
    arguments: [
      ("a <i>b</i> c", ["a ", "/b", " c"]), ("<b><i>a</b>b</i></b>c", ["*/ab", "c"]),
      ("<u>a\nb</u>", ["_a\nb"]), ("<i.red>a</i>", ["/a"]), ("</i>a", ["a"]),
      ("<v Bob><i>a</i></v>b", ["/a", "b"]), ("<i>a", ["/a"]),
    ])
  func tagsAreFaces(cue: String, runs: [String]) {
    #expect(WebVTTText(cue).text.runs.map(Self.told) == runs)
  }

  /// A run with marks for its face.
  private static func told(_ run: StyledText.Run) -> String {
    let marks: [(StyledText.Face, String)] = [(.bold, "*"), (.italic, "/"), (.underlined, "_")]
    return marks.filter { run.face.contains($0.0) }.map(\.1).joined() + run.text
  }
}
