// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import MediaOut

/// Texts of markers beside an output.
@Suite struct MarkerSheetTests {
  private static let markers = [
    ProgrammeMarker(time: MediaTime(ticks: 0, rate: 44_100), title: "Intro"),
    ProgrammeMarker(time: MediaTime(ticks: 441_337, rate: 44_100), title: "A \"b\"\t\\ä\n\u{1}"),
    ProgrammeMarker(time: MediaTime(ticks: 6001, rate: 1), title: ""),
  ]
  private let sheet = MarkerSheet(
    markers, length: MediaTime(ticks: 6010, rate: 1), path: "/x/My \"book\".m4b")

  @Test("a cue sheet counts in frames of a CD and replaces quotation marks")
  func cueSheetsCountInFramesOfACD() {
    // 441337 samples are 750.57 frames; 6001 s are 100 minutes and 1 s.
    let expected = """
      FILE "My 'book'.m4b" WAVE
        TRACK 01 AUDIO
          TITLE "Intro"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "A 'b'\t\\ä \u{1}"
          INDEX 01 00:10:01
        TRACK 03 AUDIO
          INDEX 01 100:01:00

      """
    #expect(sheet.cueSheet == expected)
  }

  @Test("sound before the first marker is the gap INDEX 00")
  func whatLiesBeforeTheFirstMarkerIsAGap() {
    let late = MarkerSheet(
      [ProgrammeMarker(time: MediaTime(ticks: 1, rate: 1), title: "x")],
      length: MediaTime(ticks: 2, rate: 1), path: "a.wav")
    #expect(late.cueSheet.contains("    INDEX 00 00:00:00\n    INDEX 01 00:01:00\n"))
  }

  @Test("200 markers give 99 tracks of a cue sheet and 200 labels")
  func cueSheetsEndAtTrack99() {
    let many = MarkerSheet(
      (0..<200).map { ProgrammeMarker(time: MediaTime(ticks: $0, rate: 1), title: "\($0)") },
      length: MediaTime(ticks: 200, rate: 1), path: "a.wav")
    #expect(many.cueSheet.components(separatedBy: " AUDIO").count - 1 == 99)
    #expect(many.labels.split(separator: "\n").count == 200)
  }

  @Test("a quotation mark with an accent in a title is replaced in a cue sheet")
  func aQuotationMarkWithAnAccentIsOneToReaders() {
    let marked = MarkerSheet(
      [ProgrammeMarker(time: MediaTime(ticks: 0, rate: 1), title: "a\"\u{301}b")],
      length: MediaTime(ticks: 2, rate: 1), path: "a.wav")
    #expect(marked.cueSheet.utf8.filter { $0 == UInt8(ascii: "\"") }.count == 4)
  }

  @Test("podcast chapters are JSON with file name, titles and times in microseconds")
  func podcastChaptersAreJSON() throws {
    struct Chapters: Decodable {
      struct Chapter: Decodable {
        let startTime: Double
        let title: String
      }
      let version: String
      let fileName: String
      let chapters: [Chapter]
    }
    let found = try JSONDecoder().decode(Chapters.self, from: Data(sheet.podcastChapters.utf8))
    #expect(found.version == "1.2.0" && found.fileName == "My \"book\".m4b")
    #expect(found.chapters.map(\.title) == MarkerSheetTests.markers.map(\.title))
    #expect(found.chapters.map(\.startTime) == [0, 10.007642, 6001])
    let none = MarkerSheet([], length: MediaTime(ticks: 0, rate: 1), path: "a")
    let empty = try JSONDecoder().decode(Chapters.self, from: Data(none.podcastChapters.utf8))
    #expect(empty.chapters.isEmpty)
  }

  @Test("HLS chapters are JSON with times, durations and language, named in the playlist")
  func hlsChaptersAreJSONWithDurations() throws {
    let text = sheet.hlsChapters(language: "de")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(found.map { $0["chapter"] as? Int } == [1, 2, 3])
    #expect(found.map { $0["start-time"] as? Double } == [0, 10.007642, 6001])
    #expect(found.map { $0["duration"] as? Double } == [10.007642, 5990.992358, 9])
    let titles = found.compactMap { ($0["titles"] as? [[String: String]])?.first }
    #expect(titles.map { $0["language"] } == ["de", "de", "de"])
    #expect(titles.map { $0["title"] } == MarkerSheetTests.markers.map(\.title))
    #expect(sheet.hlsChapters(language: "").contains("\"und\""))
    let playlist = HLSMultivariantPlaylist([
      .init(
        sounds: [.init(playlistName: "a-audio.m3u8", name: "audio")], codecs: ["mp4a.40.2"],
        bitRate: (1, 1))
    ])
    #expect(!playlist.text.contains("SESSION-DATA"))
    var named = playlist
    named.chapterName = "a-chapters.json"
    #expect(
      named.text.contains(
        "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",URI=\"a-chapters.json\"\n"))
  }

  @Test("labels have one line each with begin, end and title")
  func labelsHaveOneLineEach() {
    let expected =
      "0.000000\t10.007642\tIntro\n10.007642\t6001.000000\tA \"b\" \\ä \u{1}\n"
      + "6001.000000\t6010.000000\t\n"
    #expect(sheet.labels == expected)
  }

  /// A marker behind the end, as of a file that is shorter than it says, lasts no time.
  @Test("a marker after the end has no length")
  func aMarkerBehindTheEndHasNoLength() {
    let late = MarkerSheet(
      [ProgrammeMarker(time: MediaTime(ticks: 5, rate: 1), title: "x")],
      length: MediaTime(ticks: 3, rate: 1), path: "a.wav")
    #expect(late.labels == "5.000000\t5.000000\tx\n")
    #expect(late.hlsChapters(language: "en").contains("\"duration\": 0.000000,"))
  }

  @Test("chapter comments are counted from 001, with names where there are titles")
  func commentsAreCountedFromOne() {
    let entries = Dictionary(
      uniqueKeysWithValues: ChapterComments.entries(of: MarkerSheetTests.markers).map {
        ($0.name, $0.value)
      })
    #expect(entries["CHAPTER001"] == "00:00:00.000" && entries["CHAPTER001NAME"] == "Intro")
    #expect(entries["CHAPTER002"] == "00:00:10.008" && entries["CHAPTER003"] == "01:40:01.000")
    #expect(entries["CHAPTER003NAME"] == nil && entries.count == 5)
  }

  @Test("titles of cue points are cut to 16,384 bytes between characters")
  func labelsOfCuePointsAreCutBetweenCharacters() {
    let long = CuePoint(position: 0, title: String(repeating: "ä", count: 9000))
    #expect(long.title.utf8.count == 16_384)
    let odd = CuePoint(position: 0, title: "x" + String(repeating: "ä", count: 9000))
    #expect(odd.title.utf8.count == 16_383)
  }
}
