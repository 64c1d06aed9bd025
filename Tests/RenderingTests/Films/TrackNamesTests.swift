// SPDX-License-Identifier: Apache-2.0
import Rendering
import Testing

/// Names of the files that the tracks of one programme are written to.
@Suite struct TrackNamesTests {
  @Test func numberAndTitleMakeTheName() {
    let names = TrackNames.names(["A", "", "B/C: d?"], in: "out/", fileExtension: "flac")
    #expect(names == ["out/01 A.flac", "out/02.flac", "out/03 B_C_ d_.flac"])
  }

  /// All numbers are as wide as the last one, so that names sort as the tracks do.
  @Test(arguments: [(9, "01", "09"), (99, "01", "99"), (100, "001", "100"), (1000, "0001", "1000")])
  func numbersAreOfOneWidth(count: Int, first: String, last: String) {
    let titles = [String](repeating: "t", count: count)
    let names = TrackNames.names(titles, in: "", fileExtension: "wav")
    #expect(names.first == "\(first) t.wav" && names.last == "\(last) t.wav")
    #expect(names == names.sorted() && Set(names).count == count)
  }

  /// A name of which only spaces and dots are left has no title; a file that began with one would be hidden.
  @Test func spacesAndDotsAtTheEndsAreLeftOut() {
    let names = TrackNames.names([" a. ", " . ", "..b"], in: "o/", fileExtension: "mp4")
    #expect(names == ["o/01 a.mp4", "o/02.mp4", "o/03 ..b.mp4"])
  }

  /// 180 bytes of title fit into a name of any system; a character is never cut in two.
  @Test func longTitlesAreCutBetweenCharacters() throws {
    let names = TrackNames.names(
      [String(repeating: "x", count: 200), String(repeating: "ä", count: 89) + "€"], in: "",
      fileExtension: "wav")
    #expect(names[0] == "01 " + String(repeating: "x", count: 180) + ".wav")
    #expect(names[1] == "02 " + String(repeating: "ä", count: 89) + ".wav")
  }

  @Test("numbers that all titles have in front stand once in a name") func numbersStandOnce() {
    func names(_ titles: [String]) -> [String] {
      TrackNames.names(titles, in: "", fileExtension: "flac")
    }
    #expect(
      names(["01 Overture", "2. Aria", "3 - 4 Dances"])
        == ["01 Overture.flac", "02 Aria.flac", "03 4 Dances.flac"])
    #expect(names(["1", "2"]) == ["01 1.flac", "02 2.flac"])
    // Not all have their own number.
    #expect(names(["01 Overture", "Aria"]) == ["01 01 Overture.flac", "02 Aria.flac"])
    #expect(names(["2 Hearts", "1 Love"]) == ["01 2 Hearts.flac", "02 1 Love.flac"])
    #expect(names(["1 Love"]) == ["01 1 Love.flac"])
  }
}
