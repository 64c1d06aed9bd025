// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import PinnaCLI

/// Lines for people: their columns, their breaks, their colours, and the time left.
@Suite struct LabelledLineTests {
  @Test(
    "text takes the columns of a terminal",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("한", 2), ("🎬", 2),
      ("−16", 3), ("a\u{200B}b", 2),
    ])
  func columnsAreCounted(text: String, columns: Int) {
    #expect(TextColumns.count(text) == columns)
  }

  @Test("a text is cut where a terminal's line ends") func aTextIsCut() {
    #expect(TextColumns.prefix("日本語", 5) == "日本")
    #expect(TextColumns.prefix("abc", 2) == "ab" && TextColumns.prefix("abc", 9) == "abc")
  }

  @Test("lines are broken between words, and words never are") func linesAreBroken() {
    #expect(TextColumns.wrapped("one two three", 7) == ["one two", "three"])
    #expect(TextColumns.wrapped("a /very/long/path b", 6) == ["a", "/very/long/path", "b"])
    #expect(TextColumns.wrapped("日本 日本", 5) == ["日本", "日本"])
    #expect(TextColumns.wrapped("", 5) == [""])
    #expect(TextColumns.wrapped("a  b", 9) == ["a  b"])
    #expect(TextColumns.wrapped("for 2.30 % of it", 9) == ["for", "2.30 % of", "it"])
    #expect(TextColumns.wrapped("at -16.0 LUFS, or", 9) == ["at", "-16.0 LUFS,", "or"])
  }

  @Test("a label has a column of its own, and a terminal gets colours") func labelsHaveAColumn() {
    let lines = [
      LabelledLine(label: "output", text: "one two three", tone: .done),
      LabelledLine(label: "", text: "x\u{1B}[2Jy"),
    ]
    let plain = LineLayout().text(lines)
    #expect(plain == "output    one two three\n          x\u{FFFD}[2Jy\n")
    let shown = LineLayout(width: 30, hasColours: true, indent: 10).text([
      LabelledLine(label: "degraded", text: "one two three four five", tone: .degraded)
    ])
    #expect(shown == "\u{1B}[1;33mdegraded\u{1B}[0m  one two three four\n          five\n")
  }

  @Test("--color is read before the command runs, and other values are refused")
  func coloursAreChosen() async throws {
    let wrong = try await InProcess.run(["measure", "a.wav", "--color", "blue"])
    #expect(wrong.status == 2)
    #expect(wrong.errors == "pinna: --color blue: unknown value; give one of auto, always, never\n")
    let folder = try TemporaryFolder()
    for (words, isColoured) in [
      (["--color=always"], true), (["--color", "never"], false), ([], false),
    ] {
      let result = try Product.run(["measure", folder.file("absent.wav")] + words)
      #expect(result.status == 3)
      #expect(result.errors.hasPrefix("\u{1B}[1;31mpinna:\u{1B}[0m ") == isColoured)
    }
  }

  @Test("the time left never grows, and a time that was too short isn't repeated")
  func theTimeLeftNeverGrows() {
    var time = RemainingTime()
    #expect(time.text(part: 0.01, elapsed: 5) == nil && time.text(part: 0.5, elapsed: 0.5) == nil)
    #expect(time.text(part: 0.1, elapsed: 10) == "1 min 30 s")
    #expect(time.text(part: 0.15, elapsed: 20) == "1 min 30 s", "113 s by now")
    #expect(time.text(part: 0.5, elapsed: 30) == "30 s")
    #expect(time.text(part: 0.5, elapsed: 90) == nil)
    #expect(time.text(part: 0.99, elapsed: 100) == "1 s")
  }

  @Test("a long line hangs below its label, and keeps its own space in front and its columns")
  func longLinesHang() {
    let line = "  0  audio     eac3, 5.1(side), 48000 Hz, 640 kbit/s, English"
    #expect(TextColumns.hanging(line, 80, indent: 4) == [line])
    #expect(
      TextColumns.hanging(line, 40, indent: 4) == [
        "  0  audio     eac3, 5.1(side),", "    48000 Hz, 640 kbit/s, English",
      ])
    #expect(TextColumns.hanging(line, 40, indent: 30) == [line], "no room for a hanging text")
    let path = "/" + String(repeating: "x", count: 60)
    #expect(TextColumns.hanging(path, 40, indent: 4) == [path], "paths can be copied")
  }

  @Test("one bar stands over several jobs, and doesn't go back when one of them is tried again")
  func jobsShareABar() {
    var bar = JobsBar(count: 4)
    bar.end(0)
    bar.note(1, part: 0.8)
    bar.note(1, part: 0.2)
    #expect(bar.text(elapsed: 11).hasSuffix("░  45 %  13 s left  1 of 4 done"))
    for place in 1...3 { bar.end(place) }
    #expect(bar.text(elapsed: 30).hasSuffix("█ 100 %  0 s left  4 of 4 done"))
  }
}
