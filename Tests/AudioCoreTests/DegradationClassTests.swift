// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

/// Each degradation has a class, which users and `--strict` choose by.
@Suite struct DegradationClassTests {
  static let table: [DegradationClass: Set<String>] = [
    .damage: [
      "album-seam", "checksum-mismatch", "concealed", "copies-cut", "damaged-start",
      "decode-errors",
      "garbage-skipped",
      "implausible-samples", "leading-frames-left-out", "non-finite-samples", "objects-missing",
      "playlist-gap", "read-failed", "timestamp-gap", "truncated", "video-cut", "video-damaged",
    ],
    .doubt: [
      "dialogue-elsewhere", "dialogue-uncertain", "downmix-changed", "edit-list-ignored",
      "header-inconsistent",
      "join-uncertain",
      "layout-guessed", "length-unknown", "loudness-info-wrong", "objects-repaired",
      "other-endpoint", "playlist-length", "pre-emphasis", "range-short", "size-unknown",
      "start-up-uncertain", "stated-dialogue", "subtitle-times-assumed", "tap-latency",
      "tap-varies",
      "text-encoding-assumed", "timestamp-missing", "unverified-tool",
    ],
    .level: [
      "clipped", "codec-loudness", "codec-overshoot", "dialogue-not-found", "item-loudness",
      "level-not-reached", "limited", "limited-hard",
      "short-programme",
      "silent", "tap-level",
    ],
    .loss: [
      "bandwidth", "chapters-cut", "chapters-left-out", "cover-art-left-out", "format-change",
      "layout-not-carried", "lfe-dropped", "neighbour-left-out", "objects-to-bed", "precision",
      "subtitle-styling-left-out", "subtitles-cut", "subtitles-left-out", "tag-cut",
      "tags-left-out", "tap-bypassed", "trailing-data", "video-left-out",
    ],
  ]

  @Test("each code has the class of the table, and the table has each code once")
  func eachCodeHasItsClass() {
    for code in DegradationCode.allCases {
      let listed = DegradationClassTests.table.filter { $0.value.contains(code.rawValue) }
      #expect(listed.map(\.key) == [code.degradationClass], "\(code.rawValue)")
    }
    let count = DegradationClassTests.table.values.reduce(0) { $0 + $1.count }
    #expect(count == DegradationCode.allCases.count)
  }

  @Test(
    "classes are listed by name, separated by commas, in any order and once each",
    arguments: [
      ("damage", [DegradationClass.damage]), ("loss,damage", [.damage, .loss]),
      ("level,level", [.level]), ("damage,doubt,level,loss", DegradationClass.allCases), ("", nil),
      ("damage,", nil), ("Damage", nil), ("damage loss", nil), ("film.mkv", nil), ("all", nil),
    ] as [(String, [DegradationClass]?)])
  func listsOfClasses(text: String, classes: [DegradationClass]?) {
    #expect(DegradationClass.list(text) == classes)
  }

  @Test("a degradation has its class in JSON, and is read without it")
  func theClassIsInTheJSON() throws {
    let one = Diagnostic(.truncated, "a file ends early", subject: .input(0))
    let written = try JSONEncoder().encode(one)
    let object = try #require(JSONSerialization.jsonObject(with: written) as? [String: String])
    #expect(object["class"] == "damage" && object["code"] == "truncated")
    #expect(try JSONDecoder().decode(Diagnostic.self, from: written) == one)
    let old = Data(#"{"code":"truncated","message":"a file ends early","subject":"input:0"}"#.utf8)
    #expect(try JSONDecoder().decode(Diagnostic.self, from: old) == one)
  }
}
