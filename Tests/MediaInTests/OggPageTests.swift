import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite(.tags(.system), .fullRunOnly) struct OggPageTests {
  private static let rows = [["libopus", "a.opus"], ["libvorbis", "a.ogg"], ["flac", "a.oga"]]

  @Test(arguments: rows) func aWholeFileIsNotCut(row: [String]) throws {
    let result = try MadeMedia(row[1], ["-c:a", row[0]], seconds: 4).decode()
    #expect(result.kinds.isEmpty)
  }

  @Test(arguments: rows, [0.3, 0.6, 0.97]) func aCutFileIsReported(
    row: [String], share: Double
  ) throws {
    let result = try MadeMedia(row[1], ["-c:a", row[0]], seconds: 8).cut(at: share).decode()
    #expect(result.kinds == ["truncated"])
    #expect(result.count < 8 * 48_000)
  }

  /// A cut between two pages leaves whole pages only. It shows because no page is marked as the last one.
  @Test func aCutBetweenPagesIsReported() throws {
    let media = try MadeMedia("a.opus", ["-c:a", "libopus"], seconds: 8)
    let cut = try media.altered { data in
      let last = try #require(data.range(of: Data("OggS".utf8), options: .backwards))
      data = data.prefix(last.lowerBound)
    }
    #expect(try cut.decode().kinds == ["truncated"])
  }

  /// A page that is missing in the middle shows in the times of the pages behind it.
  @Test(arguments: rows) func aLostPageIsFilled(row: [String]) throws {
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
