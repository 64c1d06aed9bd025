// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

/// The CUESHEET block of FLAC files, written here by the tables of RFC 9639, 8.7.
@Suite struct FLACSheetTests {
  /// A track with its offset, and its index points by number and distance.
  struct TestTrack {
    var number: UInt8
    var offset: Int64
    var points: [(number: UInt8, distance: Int64)]
    var flags: UInt8 = 0
    var isrc = ""
  }

  private static func big(_ value: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }

  /// A FLAC file's beginning with a STREAMINFO, a padding and the sheet of `tracks`.
  static func file(_ tracks: [TestTrack], leadOut: UInt8 = 255) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 128) + big(0) + [0] + [UInt8](repeating: 0, count: 258)
    block.append(UInt8(tracks.count + 1))
    for track in tracks {
      let code = Array(track.isrc.utf8)
      block += big(track.offset) + [track.number] + code
      block += [UInt8](repeating: 0, count: 12 - code.count) + [track.flags]
      block += [UInt8](repeating: 0, count: 13) + [UInt8(track.points.count)]
      for point in track.points { block += big(point.distance) + [point.number, 0, 0, 0] }
    }
    block += big(1 << 20) + [leadOut] + [UInt8](repeating: 0, count: 27)
    let size = [
      UInt8(block.count >> 16), UInt8(block.count >> 8 & 0xFF), UInt8(block.count & 0xFF),
    ]
    return Array("fLaC".utf8) + [0, 0, 0, 34] + [UInt8](repeating: 0, count: 34)
      + [1, 0, 0, 5, 0, 0, 0, 0, 0] + [0x85] + size + block
  }

  private static let disc = [
    TestTrack(number: 1, offset: 588, points: [(0, 0), (1, 1176)]),
    TestTrack(number: 2, offset: 50_000, points: [(0, 0), (1, 7)], isrc: "DEABC2612345"),
    TestTrack(number: 3, offset: 90_001, points: [(1, 0), (2, 500)], flags: 0x40),
  ]

  private static func sheet(_ bytes: [UInt8]) throws(ListError) -> FLACSheet? {
    try FLACSheet { offset, count in
      let start = Int(clamping: offset)
      guard count > 0, start < bytes.count else { return [] }
      return Array(bytes[start..<min(bytes.count, start + count)])
    }
  }

  /// The first and last samples of the items.
  private static func ranges(_ gaps: CueGaps) throws -> [[Int64?]] {
    let sheet = try #require(try sheet(file(disc)))
    return ReadQueue(sheet, path: "a.flac", gaps: gaps).queue.items.map { item in
      guard case .file("a.flac", nil, let range) = item.source else { return [] }
      return [range.start.samples(at: 44_100), range.end?.samples(at: 44_100)]
    }
  }

  @Test("gaps of a FLAC cue sheet are appended, prepended or dropped")
  func gapsGoWhereTheyAreAskedFor() throws {
    #expect(
      try FLACSheetTests.ranges(.append) == [
        [0, 1764], [1764, 50_007], [50_007, 90_001], [90_001, nil],
      ])
    #expect(
      try FLACSheetTests.ranges(.prepend) == [
        [0, 588], [588, 50_000], [50_000, 90_001], [90_001, nil],
      ])
    #expect(
      try FLACSheetTests.ranges(.drop) == [
        [0, 588], [1764, 50_000], [50_007, 90_001], [90_001, nil],
      ])
  }

  @Test("a FLAC cue sheet gives titles, ISRC, a hidden track and a note on pre-emphasis")
  func namesCodesAndPreEmphasisAreKept() throws {
    let sheet = try #require(try FLACSheetTests.sheet(FLACSheetTests.file(FLACSheetTests.disc)))
    let read = ReadQueue(sheet, path: "a.flac", gaps: .append)
    #expect(read.queue.items.map(\.title) == ["Hidden track", "Track 1", "Track 2", "Track 3"])
    #expect(read.queue.items[2].tags == ["isrc": "DEABC2612345"])
    #expect(read.notes.map(\.code) == [.hiddenTrack, .preEmphasis])
  }

  @Test("a file other than FLAC has no sheet") func otherFilesHaveNone() throws {
    #expect(try FLACSheetTests.sheet(Array("RIFF".utf8)) == nil)
    #expect(try FLACSheetTests.sheet(Array("fLaC".utf8) + [0x80, 0, 0, 0]) == nil)
    #expect(try FLACSheetTests.sheet(Array("fLaC".utf8) + [0, 0, 0, 34]) == nil)
  }

  @Test("FLAC cue sheets without tracks, with data tracks or with impossible offsets are refused")
  func faultsAreRefused() {
    let data = TestTrack(number: 1, offset: 0, points: [(1, 0)], flags: 0x80)
    let early = TestTrack(number: 2, offset: 10, points: [(1, 0)])
    let negative = TestTrack(number: 1, offset: .max, points: [(1, 5)])
    for tracks in [[], [data], [FLACSheetTests.disc[1], early], [negative]] {
      #expect(throws: ListError.self) { try FLACSheetTests.sheet(FLACSheetTests.file(tracks)) }
    }
  }

  @Test("a damaged cue sheet of a FLAC file has an item for each of its tracks, or is refused")
  func damagedSheetsAreReadOrRefused() {
    var noise = SeededNoise(seed: 12)
    let whole = FLACSheetTests.file(FLACSheetTests.disc)
    for _ in 0..<Soak.rounds(1000, soak: 200_000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &noise) {
        bytes[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(
          in: 0...255, using: &noise)
      }
      bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &noise)))
      guard let sheet = try? FLACSheetTests.sheet(bytes) else { continue }
      for gaps in CueGaps.allCases {
        let items = ReadQueue(sheet, path: "a.flac", gaps: gaps).queue.items
        #expect(items.count >= sheet.tracks.count)
      }
    }
  }
}
