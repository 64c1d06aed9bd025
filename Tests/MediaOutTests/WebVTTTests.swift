// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaOut

@Suite struct WebVTTTests {
  private func lines(_ text: String) -> [Substring] {
    WebVTT.text([WebVTT.Cue(start: 3_723_004, end: 3_724_000, text: StyledText(text))])
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).map { $0 }
  }

  @Test("a WebVTT cue has its times and lines")
  func aCueHasTimesAndText() {
    #expect(lines("a\nb") == ["01:02:03.004 --> 01:02:04.000", "a", "b", "", ""])
  }

  @Test("faces become tags, within the lines")
  func facesBecomeTags() {
    var text = StyledText("a <")
    text.append("b\nc", .italic)
    text.append("d", [.bold, .underlined])
    let made = WebVTT.text([WebVTT.Cue(start: 0, end: 1, text: text)])
    #expect(made.contains("\na &lt;<i>b</i>\n<i>c</i><b><u>d</u></b>\n"), "\(made)")
  }

  /// An arrow in a text would begin another cue, and an empty line would end this one (W3C WebVTT, 4.1), also where
  /// Swift sees another character.
  @Test("arrows in a cue are escaped and empty lines removed")
  func noTextEndsACue() {
    #expect(lines("a --> b")[1] == "a --&gt; b")
    #expect(
      lines("a -->\u{301} <\u{338}b")[1].utf8.elementsEqual("a --&gt;\u{301} &lt;\u{338}b".utf8))
    #expect(lines("a\r\n\r\nb").dropFirst() == ["a", "b", "", ""])
  }
}
