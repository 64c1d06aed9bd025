import Testing

@testable import MediaIn

@Suite struct MatroskaSegmentTests {
  private let header: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
  private let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]

  @Test("the end of a Matroska segment is read from a size of two or eight bytes")
  func theStatedEndIsRead() {
    let short = header + [0x82, 1, 2] + segment + [0x40, 0x64, 0]
    #expect(MatroskaSegment.end(head: short) == 113)
    let long = header + [0x80] + segment + [1, 0, 0, 0, 0, 0, 1, 0]
    #expect(MatroskaSegment.end(head: long) == 273)
  }

  @Test("a Matroska segment of unknown size has no stated end")
  func unknownSizesHaveNoEnd() {
    #expect(MatroskaSegment.end(head: header + [0x80] + segment + [0xFF]) == nil)
    let unknown: [UInt8] = [1] + [UInt8](repeating: 0xFF, count: 7)
    #expect(MatroskaSegment.end(head: header + [0x80] + segment + unknown) == nil)
  }

  @Test("bytes other than Matroska have no stated end") func otherBytesHaveNoEnd() {
    let whole = header + [0x82, 1, 2] + segment + [0x40, 0x64]
    for length in 0..<whole.count {
      #expect(MatroskaSegment.end(head: Array(whole[..<length])) == nil)
    }
    #expect(
      MatroskaSegment.end(head: header + [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE]) == nil)
    #expect(MatroskaSegment.end(head: header + [0] + segment + [0x81]) == nil)
    #expect(MatroskaSegment.end(head: [UInt8](repeating: 0, count: 64)) == nil)
  }
}
