// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MediaIn

/// Violations of RFC 8216 in the text of playlists; the clauses stand in the messages.
@Suite struct PlaylistRulesTests {
  private static let audio =
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",LANGUAGE=\"en\",URI=\"a.m3u8\""
  private static let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv.m3u8"

  private func codes(_ lines: [String]) throws -> [String] {
    let bytes = Array((["#EXTM3U"] + lines).joined(separator: "\n").utf8)
    return PlaylistRules(bytes, try #require(PlaylistLine.lines(of: bytes))).flaws.map(
      \.code.rawValue)
  }

  @Test("a playlist that keeps the rules has no flaw")
  func rightPlaylistsHaveNone() throws {
    let renditions = [
      "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS", PlaylistRulesTests.audio,
      // Other groups, and other types, may have the same name.
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"b\",NAME=\"English\",DEFAULT=YES,AUTOSELECT=YES",
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"English\",FORCED=NO,URI=\"s.m3u8\",LANGUAGE=\"zh-Hant\"",
      "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"c\",INSTREAM-ID=\"CC1\",LANGUAGE=\"und\"",
      "#EXT-X-SESSION-DATA:DATA-ID=\"x\",VALUE=\"1\",LANGUAGE=\"fil\"",
      "#EXT-X-SESSION-DATA:DATA-ID=\"x\",VALUE=\"1\",LANGUAGE=\"de\"",
      "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\",SUBTITLES=\"a\",CLOSED-CAPTIONS=\"c\"",
      "# a comment", "v.m3u8",
    ]
    #expect(try codes(renditions).isEmpty)
    #expect(try codes(["#EXT-X-TARGETDURATION:1", "#EXTINF:1,", "a.ts", "#EXT-X-ENDLIST"]).isEmpty)
  }

  @Test(
    "what RFC 8216 forbids of renditions is found, each by its code",
    arguments: [
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\"", "rendition-name"),
      ("TYPE=AUDIO,GROUP-ID=\"a\"", "attribute-missing"),
      ("TYPE=AUDIO,NAME=\"x\"", "attribute-missing"),
      ("GROUP-ID=\"a\",NAME=\"x\"", "attribute-missing"),
      ("TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"x\"", "attribute-missing"),
      ("TYPE=CLOSED-CAPTIONS,GROUP-ID=\"a\",NAME=\"x\"", "attribute-missing"),
      (
        "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"a\",NAME=\"x\",INSTREAM-ID=\"CC1\",URI=\"u\"",
        "attribute-forbidden"
      ),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",INSTREAM-ID=\"CC1\"", "attribute-forbidden"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",FORCED=YES", "attribute-forbidden"),
      ("TYPE=SOUND,GROUP-ID=\"a\",NAME=\"x\"", "attribute-value"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",DEFAULT=TRUE", "attribute-value"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",DEFAULT=YES,AUTOSELECT=NO", "attribute-value"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",NAME=\"y\"", "attribute-twice"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",LANGUAGE=\"eng\"", "language-tag"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",LANGUAGE=\"ger-AT\"", "language-tag"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",LANGUAGE=\"en_GB\"", "language-tag"),
      ("TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",ASSOC-LANGUAGE=\"English\"", "language-tag"),
    ])
  func flawsOfRenditionsAreFound(attributes: String, code: String) throws {
    let lines = [
      PlaylistRulesTests.audio, "#EXT-X-MEDIA:" + attributes, PlaylistRulesTests.variant,
    ]
    #expect(try codes(lines) == [code])
  }

  @Test(
    "what RFC 8216 forbids elsewhere in a playlist is found, each by its code",
    arguments: [
      (["#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"b\"", "v.m3u8"], "rendition-group"),
      // A group belongs to one type.
      (["#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"a\"", "v.m3u8"], "rendition-group"),
      (["#EXT-X-STREAM-INF:AUDIO=\"a\"", "v.m3u8"], "attribute-missing"),
      (["#EXT-X-STREAM-INF:BANDWIDTH=fast", "v.m3u8"], "attribute-value"),
      (["#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=NONE", "v.m3u8"], "attribute-value"),
      (["#EXT-X-STREAM-INF:BANDWIDTH=1"], "variant-uri"), (["w.m3u8"], "variant-uri"),
      (["#EXTINF:1,"], "foreign-tag"), (["#EXT-X-ENDLIST"], "foreign-tag"),
      (["#EXT-X-VERSION:7", "#EXT-X-VERSION:7"], "tag-twice"),
      (["#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1"], "attribute-missing"),
      (["#EXT-X-SESSION-DATA:DATA-ID=\"x\""], "attribute-missing"),
      (["#EXT-X-SESSION-DATA:DATA-ID=\"x\",VALUE=\"1\",URI=\"u\""], "attribute-forbidden"),
      (
        [
          "#EXT-X-SESSION-DATA:DATA-ID=\"x\",VALUE=\"1\"",
          "#EXT-X-SESSION-DATA:DATA-ID=\"x\",VALUE=\"2\"",
        ], "tag-twice"
      ),
      (["#EXT-X-SESSION-KEY:METHOD=NONE"], "attribute-value"),
      (["#EXT-X-SESSION-KEY:METHOD=AES-128"], "attribute-missing"), (["#\u{1B}[2J"], "encoding"),
    ])
  func flawsElsewhereAreFound(lines: [String], code: String) throws {
    let audio = PlaylistRulesTests.audio
    #expect(try codes([audio, PlaylistRulesTests.variant] + lines) == [code])
  }

  @Test("two defaults of a group, bytes that are no UTF-8 and tags of the other kind are found")
  func otherFlawsAreFound() throws {
    let both = ["x", "y"].map {
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\($0)\",DEFAULT=YES"
    }
    #expect(try codes(both + [PlaylistRulesTests.variant]) == ["rendition-default"])
    #expect(
      try codes(["#EXT-X-TARGETDURATION:1", PlaylistRulesTests.audio, "#EXTINF:1,", "a.ts"]) == [
        "foreign-tag"
      ])
    let bytes = Array("#EXTM3U\n#EXTINF:1,".utf8) + [0xE9] + Array("\na.ts\n".utf8)
    let flaws = PlaylistRules(bytes, try #require(PlaylistLine.lines(of: bytes))).flaws
    #expect(flaws.map(\.code) == [.encoding])
  }
}
