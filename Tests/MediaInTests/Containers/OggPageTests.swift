// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite(.tags(.system), .fullRunOnly) struct OggPageTests {
  private static let rows = [["libopus", "a.opus"], ["libvorbis", "a.ogg"], ["flac", "a.oga"]]

  @Test("whole files of Opus, Vorbis and FLAC in Ogg have no degradations", arguments: rows)
  func aWholeFileIsNotCut(row: [String]) throws {
    let result = try MadeMedia(row[1], ["-c:a", row[0]], seconds: 4).decode()
    #expect(result.kinds.isEmpty)
  }

  @Test(
    "Ogg files cut at 30, 60 or 97 % are reported as truncated", arguments: rows, [0.3, 0.6, 0.97])
  func aCutFileIsReported(
    row: [String], share: Double
  ) throws {
    let result = try MadeMedia(row[1], ["-c:a", row[0]], seconds: 8).cut(at: share).decode()
    #expect(result.kinds == ["truncated"])
    #expect(result.count < 8 * 48_000)
  }

  /// Pages state the number of samples to the one; other containers have no pages.
  @Test(
    "first and last page state the length of Opus, Vorbis and FLAC in Ogg, but not of Vorbis in Matroska",
    arguments: [
      ("libvorbis", "a.ogg", 96_000), ("libopus", "a.opus", 96_312), ("flac", "a.oga", 96_000),
      ("libvorbis", "a.mka", nil),
    ] as [(String, String, Int64?)])
  func pagesStateTheLength(codec: String, name: String, samples: Int64?) throws {
    let media = try MadeMedia(name, ["-c:a", codec])
    try withExtendedLifetime(media) {
      let file = try MediaFile(path: media.path)
      let stream = try TrackOpener(file).select(.automatic, log: DiagnosticLog())
      #expect(file.gaplessFacts(of: stream).pageSamples == samples)
    }
  }

  /// A cut between two pages leaves whole pages only. Such a cut shows because no page is marked as the last one.
  @Test("an Opus file without its last page is reported as truncated")
  func aCutBetweenPagesIsReported() throws {
    let media = try MadeMedia("a.opus", ["-c:a", "libopus"], seconds: 8)
    let cut = try media.altered { data in
      let last = try #require(data.range(of: Data("OggS".utf8), options: .backwards))
      data = data.prefix(last.lowerBound)
    }
    #expect(try cut.decode().kinds == ["truncated"])
  }

  /// Numbers that leave one out are told, though the times of the pages go on and no sound is missing.
  @Test(
    "a page number that is left out is reported as a gap, and no sample changes", arguments: rows)
  func aMissingNumberIsTold(row: [String]) throws {
    let media = try MadeMedia(row[1], ["-c:a", row[0]], seconds: 8)
    let skipping = try media.altered { data in
      var start = 0
      while start < data.count {
        let table = data[start + 27..<start + 27 + Int(data[start + 26])]
        let end = table.endIndex + table.reduce(0) { $0 + Int($1) }
        if start > data.count / 2 {
          let number = data[start + 18..<start + 22].reversed().reduce(UInt32(0)) {
            $0 << 8 | UInt32($1)
          }
          data.replaceSubrange(
            start..<end, with: OggPageWalkTests.numbered(Array(data[start..<end]), number + 1))
        }
        start = end
      }
    }
    let result = try skipping.decode()
    #expect(result.kinds == ["timestamp-gap"])
    #expect(result.planes == (try media.decode()).planes)
  }

  /// A page that is missing in the middle shows in the times of the pages behind it.
  @Test(
    "a page missing in the middle is reported as a gap, and the length stays within 1024 samples",
    arguments: rows)
  func aLostPageIsFilled(row: [String]) throws {
    let media = try MadeMedia(row[1], ["-c:a", row[0]], seconds: 8)
    let whole = try media.decode()
    let holed = try media.altered { data in
      let mark = Data("OggS".utf8)
      let middle = data.count / 2
      let start = try #require(data.range(of: mark, in: middle..<data.count)).lowerBound
      let end = try #require(data.range(of: mark, in: start + 4..<data.count)).lowerBound
      data.removeSubrange(start..<end)
    }
    let result = try holed.decode()
    #expect(result.kinds.contains("timestamp-gap"))
    #expect(abs(result.count - whole.count) <= 1024)
  }
}
