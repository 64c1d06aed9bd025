// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ISOBMFF

@Suite struct ChapterBoxTests {
  private func chapter(_ ticks: Int64, _ rate: Int64, _ title: String) -> MovieChapter {
    MovieChapter(start: MediaTime(ticks: ticks, rate: rate), title: title)
  }

  @Test("chpl has times in 100 ns and no negative ones")
  func timesAreIn100Nanoseconds() {
    let box = ChapterBox([chapter(1, 48_000, "A"), chapter(44_101, 44_100, ""), chapter(-1, 1, "")])
    let expected = BoxBytes.box(
      "chpl",
      [1, 0, 0, 0, 0, 0, 0, 0, 3] + BoxBytes.number(UInt64(208)) + [1, 0x41]
        + BoxBytes.number(UInt64(10_000_227)) + [0] + BoxBytes.number(UInt64(0)) + [0])
    #expect(box.encoded == expected)
  }

  @Test("chpl titles are cut to 255 bytes between characters, and no chapters give no box")
  func titlesAreCutBetweenCharacters() {
    let bytes = ChapterBox([chapter(0, 1, "x" + String(repeating: "ä", count: 200))]).encoded
    #expect(bytes.count == 8 + 9 + 8 + 1 + 255)
    let odd = ChapterBox([chapter(0, 1, String(repeating: "ä", count: 200))]).encoded
    #expect(odd.count == 8 + 9 + 8 + 1 + 254)
    #expect(ChapterBox([]).encoded.isEmpty)
  }

  @Test("300 chapters give a chpl of 255")
  func theListEndsAt255() {
    let many = ChapterBox((0..<300).map { chapter($0, 1, "") }).encoded
    #expect(many[16] == 255 && many.count == 8 + 9 + 255 * 9)
  }

  @Test("chapter samples have length, UTF-8 text and encd, cut to 65,534 bytes")
  func samplesOfTitlesNameTheirEncoding() {
    let mark = BoxBytes.box("encd", [0, 0, 1, 0])
    #expect(ChapterSampleEntry.sample("Ä") == [0, 2, 0xC3, 0x84] + mark)
    #expect(ChapterSampleEntry.sample("") == [0, 0] + mark)
    let long = ChapterSampleEntry.sample(String(repeating: "ä", count: 40_000))
    #expect(long.count == 2 + 65_534 + 12)
    // Size, type, six reserved bytes, reference 1, 43 bytes of QuickTime.
    #expect(ChapterSampleEntry().encoded.count == 8 + 8 + 43)
  }

  @Test("the sound track refers to the chapter track once")
  func theSoundRefersToTheTrackOfTitles() throws {
    func track(_ kind: TrackBox.Kind) -> TrackBox {
      TrackBox(
        kind: kind, timescale: 1, sampleEntry: [], isEnabled: kind == .audio,
        edits: EditListBox(entries: []))
    }
    var sound = track(.audio)
    sound.chapterTrack = 1
    let movie = MovieBox(timescale: 1, duration: 0, tracks: [track(.chapters), sound]).encoded
    func count(_ bytes: [UInt8]) -> Int {
      movie.indices.filter { movie[$0...].starts(with: bytes) }.count
    }
    #expect(count(BoxBytes.box("tref", BoxBytes.box("chap", [0, 0, 0, 1]))) == 1)
    #expect(count(Array("gmhd".utf8)) == 1 && count(Array("text".utf8)) == 2)
    #expect(MovieFacts(BoxBytes.source(movie))?.tracks.map(\.handler) == ["text", "soun"])
  }
}
