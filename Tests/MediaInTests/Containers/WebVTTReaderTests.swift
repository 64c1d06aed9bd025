// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// WebVTT as the W3C's specification reads it.
@Suite struct WebVTTReaderTests {
  private static let cues =
    "00:01.000 --> 00:02.000\nfirst\n\n00:03.000 --> 00:04.000 line:0\nsecond\n"
  private static let note = "NOTE made by a machine\n\n"
  private static let style = "STYLE\n::cue { color: papayawhip; }\n\n"
  private static let region = "REGION\nid:fred\nwidth:40%\nlines:3\n\n"

  /// `START-END text` of each cue.
  private func told(_ reader: WebVTTReader) -> [String] {
    reader.cues.map { "\($0.start)-\($0.end) \($0.text)" }
  }

  @Test(
    "both cues are read behind comments, style sheets and regions, whatever ends their lines",
    arguments: [
      "", note, style, region, region + style + note, "NOTE\nof two\nlines\n\n",
      "STYLE \t\n::cue(b) {\n  color: red;\n}\n\nNOTE\n\n\n\n", "REGION\n\nSTYLE\n\n",
    ], ["\n", "\r\n", "\r"])
  func blocksArePassedOver(blocks: String, end: String) throws {
    for head in ["WEBVTT\n\n", "\u{FEFF}WEBVTT - a title\nKind: captions\n\n", "WEBVTT\t\n\n\n"] {
      let text = (head + blocks + WebVTTReaderTests.cues).split(
        separator: "\n", omittingEmptySubsequences: false
      ).joined(separator: end)
      let reader = try #require(WebVTTReader(Array(text.utf8)))
      #expect(told(reader) == ["1000-2000 first", "3000-4000 second"])
      #expect(reader.lost == 0 && reader.isStyled)
    }
  }

  @Test("blocks between and behind cues take none of them")
  func blocksMayComeAnywhere() throws {
    let text =
      "WEBVTT\n\na\n00:01.000 --> 00:02.000\none\n\n\(WebVTTReaderTests.note)b\n00:02.000 --> 00:03.000\ntwo\nlines\n\n"
      + "\(WebVTTReaderTests.style)00:03.000 --> 00:04.000\nNOTE three\n\n\(WebVTTReaderTests.region)NOTE end"
    let reader = try #require(WebVTTReader(Array(text.utf8)))
    #expect(told(reader) == ["1000-2000 one", "2000-3000 two\nlines", "3000-4000 NOTE three"])
    #expect(reader.lost == 0)
  }

  @Test(
    "files of these cues are read as the parser of the specification reads them",
    arguments: [
      // A line with an arrow begins a cue, even without an empty line before it, and in the header.
      (
        "\n00:01.000 --> 00:02.000\na\n00:02.000 --> 00:03.000\nb", ["1000-2000 a", "2000-3000 b"],
        0
      ),
      ("\n\nNOTE x\n00:01.000 --> 00:02.000\na", ["1000-2000 a"], 0),
      // The times: hours of any number of digits, no space around the arrow, tabs.
      ("\n\n100:00:02.000-->100:00:03.500\na", ["360002000-360003500 a"], 0),
      ("\n\n1:00:00.000\t-->\t1:59:59.999\talign:start\na", ["3600000-7199999 a"], 0),
      ("\n\n00:00.000 --> 60:00:00.000 foo\na", ["0-216000000 a"], 0),
      // Times that the specification doesn't allow, and text without any, are counted.
      ("\n\n00:01,000 --> 00:02,000\na", [], 1), ("\n\n00:60.000 --> 01:01.000\na", [], 1),
      ("\n\n1:02.000 --> 1:03.000\na", [], 1), ("\n\n00:01.00 --> 00:02.00\na", [], 1),
      ("\n\n00:01.000 -> 00:02.000\na\n\n00:03.000 --> 00:04.000\nb", ["3000-4000 b"], 1),
      ("\n\nNOTES\n\n00:03.000 --> 00:04.000\nb", ["3000-4000 b"], 1),
      ("\n\n9999999999999:00:00.000 --> 00:04.000\nb", [], 1),
      // A cue without text says nothing.
      ("\n\n00:01.000 --> 00:02.000\n\n00:03.000 --> 00:04.000\nb", ["3000-4000 b"], 0),
      ("", [], 0), ("\n", [], 0), (" x", [], 0), ("\n\n\n\n", [], 0),
    ])
  func filesAreRead(body: String, cues: [String], lost: Int) throws {
    let reader = try #require(WebVTTReader(Array(("WEBVTT" + body).utf8)))
    #expect(told(reader) == cues)
    #expect(reader.lost == lost)
  }

  @Test(
    "what doesn't begin with the signature is no WebVTT",
    arguments: ["", "WEBVT", "WEBVTTX\n", "webvtt\n", " WEBVTT\n", "1\n00:01.000 --> 00:02.000\na"])
  func theSignatureIsNeeded(text: String) { #expect(WebVTTReader(Array(text.utf8)) == nil) }

  @Test(
    "text of a cue has the characters that are meant, and no tags",
    arguments: [
      ("a&nbsp;b", "a\u{A0}b", false), ("{sighs} no", "{sighs} no", false),
      ("it&#39;s &quot;so&quot;", "it's \"so\"", false), ("R&amp;B &lt;3", "R&B <3", false),
      ("C:\\new \\N \\h", "C:\\new \\N \\h", false), ("{\\i1}", "{\\i1}", false),
      ("&lrm;a&rlm;", "\u{200E}a\u{200F}", false), ("&#x1F600;&#X41;", "😀A", false),
      ("&eacute;&Eacute;&hellip;", "éÉ…", false), ("&NotEqualTilde;", "≂̸", false),
      // HTML, 13.2.5.73 and 13.2.5.80: old names without a semicolon, numbers of Windows-1252, and those of no character.
      ("I'm &notit; I tell you", "I'm ¬it; I tell you", false),
      ("&copy 2020&ampx", "© 2020&x", false),
      ("&#146;&#x80;", "’€", false), ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}", false),
      ("&bogus; & &; &#; &#x;", "&bogus; & &; &#; &#x;", false), ("&nbs", "&nbs", false),
      ("&#13;&#10;a", "a", false), ("a\0b", "a\u{FFFD}b", false),
      ("<i>it</i>", "it", false), ("<i.red>it</i>", "it", true),
      ("<v Bob &amp; Al>hi</v>", "hi", true), ("<c>a</c>", "a", false),
      ("<c.red.big>a</c>", "a", true), ("<lang en-GB>a</lang>", "a", false),
      ("a<00:01.000>b", "ab", true), ("a <b", "a", false), ("a > b", "a > b", false),
      (" a \n \n b ", "a\nb", false), ("&nbsp;", "", false),
    ])
  func charactersAreThoseMeant(source: String, text: String, isStyled: Bool) {
    let found = WebVTTText(source)
    #expect(found.text.plain == text && found.isStyled == isStyled)
  }

  @Test("a WebVTT file in UTF-8 or UTF-16 gives its cues, its language and what is left out")
  func aFileIsRead() throws {
    let folder = try TemporaryFolder()
    let text =
      "WEBVTT\n\n00:03.000 --> 00:04.000\nzwei\n\n00:01.000 --> 00:02.000\neins ä\n\n00:05.000 --> 00:05.000\ndrei\n\n600:00:00.000 --> "
      + "600:00:01.000\nvier\n\nfünf\n"
    let encoded: [Data] = [
      Data(text.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8),
      Data([0xFF, 0xFE]) + Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      Data([0xFE, 0xFF]) + Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
    ]
    for data in encoded {
      try data.write(to: folder.url("film.de.vtt"))
      let track = try SubtitleTrack(sidecar: folder.file("film.de.vtt"))
      #expect(
        track.cues == [
          SubtitleCue(start: 1000, end: 2000, text: "eins ä"),
          SubtitleCue(start: 3000, end: 4000, text: "zwei"),
          SubtitleCue(start: 5000, end: 9000, text: "drei"),
        ])
      #expect(track.language == "de" && track.codec == "webvtt")
      #expect(track.lost == 2 && track.guessed == 1 && !track.isStyled)
    }
  }

  @Test("a WebVTT file that isn't UTF-8 is refused") func otherEncodingsAreRefused() throws {
    let folder = try TemporaryFolder()
    try (Data("WEBVTT\n\n00:01.000 --> 00:02.000\nH".utf8) + Data([0xE4])).write(
      to: folder.url("latin.vtt"))
    let error = #expect(throws: MediaError.self) {
      try SubtitleTrack(sidecar: folder.file("latin.vtt"))
    }
    #expect(error?.kind == .damaged && error?.message.contains("UTF-8") == true)
  }
}
