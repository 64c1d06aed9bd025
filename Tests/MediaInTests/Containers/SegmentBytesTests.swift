// SPDX-License-Identifier: Apache-2.0
import Foundation
import LibAV
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Bytes around the media of a segment: tags in front, padding behind.
@Suite struct SegmentBytesTests {
  private func length(_ bytes: [UInt8]) throws -> Int64 {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("a"))
    return try ID3Tag.length(in: LocalFile(path: folder.file("a")))
  }

  private func tag(_ payload: Int, flags: UInt8 = 0, whole: Bool = true) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: payload >> (21 - 7 * $0)) & 0x7F }
    let header: [UInt8] = [0x49, 0x44, 0x33, 4, 0, flags] + size
    return header + [UInt8](repeating: 9, count: whole ? payload + (flags & 0x10 == 0 ? 0 : 10) : 0)
  }

  @Test("ID3 tags in front of a segment are measured, with footers and up to the file's end")
  func tagsAreMeasured() throws {
    #expect(try length(tag(63) + [0xFF, 0xF1]) == 73)
    #expect(try length(tag(300) + tag(0) + [0xFF, 0xF1]) == 320)
    #expect(try length(tag(5, flags: 0x10) + [0xFF]) == 25)
    #expect(try length([0xFF, 0xF1, 0x49, 0x44, 0x33]) == 0)
    #expect(try length([]) == 0)
    #expect(try length(Array(tag(5).prefix(9))) == 0)
    // A tag that claims more bytes than the file has covers the whole file.
    #expect(try length(tag(0x0FFF_FFFF, whole: false) + [1, 2]) == 12)
    #expect(ID3Tag.size(of: [0x49, 0x44, 0x33, 4, 0, 0, 0x80, 0, 0, 0]) == nil)
  }

  @Test("padding of 1 to 16 equal bytes is measured, and other padding is refused")
  func paddingIsChecked() {
    let body = [UInt8](repeating: 7, count: 16)
    for count in 1...16 {
      let bytes = body.dropLast(count) + [UInt8](repeating: UInt8(count), count: count)
      #expect(SegmentLoader.padding(of: Array(bytes)) == count)
    }
    #expect(SegmentLoader.padding(of: []) == nil)
    #expect(SegmentLoader.padding(of: body + [0]) == nil)
    #expect(SegmentLoader.padding(of: body + [17]) == nil)
    #expect(SegmentLoader.padding(of: body + [1, 2]) == nil)
    #expect(SegmentLoader.padding(of: [3, 3]) == nil)
  }

  @Test("a sequence number becomes a big-endian vector of 16 bytes")
  func aSequenceNumberIsABigEndianVector() {
    #expect(SegmentLoader.vector(of: 0x0102) == [UInt8](repeating: 0, count: 14) + [1, 2])
    #expect(SegmentLoader.vector(of: .max).prefix(9) == [0, 0, 0, 0, 0, 0, 0, 0, 0x7F])
  }
}
