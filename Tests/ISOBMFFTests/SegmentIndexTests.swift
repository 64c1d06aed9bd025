// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

/// The index in front of all fragments.
@Suite struct SegmentIndexTests {
  private func findings(_ change: @escaping (inout SegmentIndexBox) -> Void) throws -> [String] {
    let bytes = try FragmentedMovieBytes.movie(segments: change)
    return FragmentedMovieCheck(BoxBytes.source(bytes)).findings.map { "\($0)" }
  }

  /// ISO/IEC 14496-12, 8.16.3.2, field by field.
  @Test("sidx has the fields of version 1") func theBoxIsBuiltByTheStandard() {
    let box = SegmentIndexBox(
      trackID: 2, timescale: 48_000, earliestTime: 7,
      entries: [.init(size: 0x1234, duration: 96_000), .init(size: 5, duration: 6, accessType: 3)])
    let payload =
      [1, 0, 0, 0] + BoxBytes.number(UInt32(2)) + BoxBytes.number(UInt32(48_000))
      + BoxBytes.number(UInt64(7)) + BoxBytes.number(UInt64(0)) + BoxBytes.number(UInt16(0))
      + BoxBytes.number(UInt16(2)) + BoxBytes.number(UInt32(0x1234))
      + BoxBytes.number(UInt32(96_000)) + BoxBytes.number(UInt32(0x9000_0000))
      + BoxBytes.number(UInt32(5)) + BoxBytes.number(UInt32(6))
      + BoxBytes.number(UInt32(0xB000_0000))
    #expect(box.encoded == BoxBytes.box("sidx", payload))
    #expect(box.encoded.count == SegmentIndexBox.size(entries: 2))
    #expect(SegmentIndexBox(payload: payload) == box)
  }

  @Test("a short sidx, and one that names other indices, aren't read")
  func otherIndicesArentRead() {
    let whole = SegmentIndexBox(
      trackID: 1, timescale: 1, earliestTime: 0, entries: [.init(size: 1, duration: 1)]
    ).encoded.dropFirst(8)
    #expect(SegmentIndexBox(payload: Array(whole)) != nil)
    #expect(SegmentIndexBox(payload: Array(whole.dropLast())) == nil)
    var nested = Array(whole)
    nested[32] |= 0x80
    #expect(SegmentIndexBox(payload: nested) == nil)
  }

  @Test("an index with the places and times of all fragments has no findings")
  func aRightIndexHasNoFindings() throws {
    #expect(try findings { _ in } == [])
  }

  @Test("an entry with another size is found where the next one begins")
  func wrongSizesAreFound() throws {
    #expect(
      try findings { $0.entries[1].size -= 1 }.first?.hasPrefix("index: sidx[3]: begins at ")
        == true)
    #expect(
      try findings { $0.entries[1].size += 1 }.first
        == "index: sidx: 3 entries, but 2 fragments are where they say")
    #expect(try findings { $0.entries[2].size += 1 }.contains { $0.contains("sidx: ends at ") })
    #expect(
      try findings { $0.firstOffset = 8 }.first?.hasPrefix("index: sidx[1]: begins at ") == true)
  }

  @Test("an entry with another duration is found by the next one's samples, the last by the edit")
  func wrongDurationsAreFound() throws {
    #expect(
      try findings {
        $0.entries[0].duration += 1
        $0.entries[1].duration -= 1
      } == ["index: sidx[2]: begins at 2049 ticks, its samples at 2048"])
    #expect(
      try findings { $0.entries[2].duration -= 1 }
        == ["index: sidx: ends after 8191 ticks, the presentation after 8192"])
    // The start-up samples aren't presented.
    #expect(try findings { $0.entries[0].duration += 1024 }.count == 3)
    #expect(try findings { $0.earliestTime = 1 }.first?.hasPrefix("index: sidx[1]") == true)
  }

  @Test("an index with an entry more or less is found") func wrongCountsAreFound() throws {
    #expect(try findings { $0.entries.removeLast() }.contains { $0.contains("sidx: ends at ") })
    #expect(
      try findings { $0.entries.append(.init(size: 9, duration: 0)) }.contains {
        $0.contains("sidx: 4 entries, but 3 fragments")
      })
  }
}
