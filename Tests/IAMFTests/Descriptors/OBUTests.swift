// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import IAMF

/// Basic types and the headers of units.
@Suite struct OBUTests {
  @Test("LEB128 numbers up to 32 bits are read to the byte, also when padded to 8 bytes")
  func numbersInBase128() throws {
    for value in [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 28, Int(UInt32.max)] {
      for size in 1...8 {
        let bytes = SyntheticUnit.leb128(value, size: size) + [0xFF]
        let found = try bytes.reading { bits throws(IAMFError) in
          (try bits.leb128(), bits.bytesLeft)
        }
        #expect(found.0 == value && found.1 == 1, "\(value) in \(size) bytes")
      }
    }
  }

  @Test(
    "LEB128 that is cut off, longer than 8 bytes or larger than 32 bits is refused",
    arguments: [
      "", "80", "8080808080808080", "808080808080808001", "8080808010", "ffffffffff01",
      "ffffffffffffff7f",
    ])
  func numbersThatDontFit(hex: String) {
    #expect(throws: IAMFError.self) {
      try SyntheticUnit.bytes(hex: hex).reading { bits throws(IAMFError) in try bits.leb128() }
    }
  }

  /// A thing takes a byte at least, so no count is larger than what is left.
  @Test(
    "a count of layouts beyond the bytes that are left is refused, and the error has both numbers")
  func countsAreHeldAgainstTheBytesThatAreLeft() throws {
    func read(_ bytes: [UInt8]) throws(IAMFError) -> Int {
      try bytes.reading { bits throws(IAMFError) in try bits.count(of: "layouts") }
    }
    #expect(try read([0]) == 0 && read([2, 1, 2]) == 2)
    #expect(throws: IAMFError.malformed("3 layouts in 2 bytes")) { try read([3, 1, 2]) }
    let most = SyntheticUnit.leb128(Int(UInt32.max), size: 5)
    #expect(throws: IAMFError.malformed("4294967295 layouts in 0 bytes")) { try read(most) }
  }

  @Test(
    "a string ends at a zero after at most 128 bytes or is refused, and bad UTF-8 becomes U+FFFD")
  func stringsEndWithAZero() throws {
    func read(_ bytes: [UInt8]) throws(IAMFError) -> String {
      try bytes.reading { bits throws(IAMFError) in try bits.string() }
    }
    #expect(try read([0, 65]) == "")
    #expect(try read(Array("Français".utf8) + [0]) == "Français")
    #expect(try read([65, 0xFF, 66, 0]) == "A\u{FFFD}B")
    #expect(try read(Array(repeating: 65, count: 128) + [0]).count == 128)
    #expect(throws: IAMFError.self) { try read(Array(repeating: 65, count: 129) + [0]) }
    #expect(throws: IAMFError.self) { try read([65, 66]) }
  }

  private func obu(_ bytes: [UInt8]) throws(IAMFError) -> OBU {
    try bytes.reading { bits throws(IAMFError) in try OBU(&bits) }
  }

  /// One bit means something else in other types.
  @Test(
    "the trimming flag gives trims in audio frames (types 5 to 23), and none in other OBU types",
    arguments: 0...31)
  func onlyFramesAreTrimmed(type: Int) throws {
    var bytes = SyntheticUnit.obu(type, [9, 3, 7])
    bytes[0] |= 2
    let found = try obu(bytes)
    let isFrame = (5...23).contains(type)
    #expect(found.type == type && found.flag && !found.isRedundant)
    #expect(found.trim == (isFrame ? OBU.Trim(start: 3, end: 9) : OBU.Trim()))
    #expect(found.payload == (isFrame ? 4..<5 : 2..<5))
    #expect((found.kind == .audioFrame) == isFrame)
  }

  @Test("an OBU's extension bytes are kept, and its trims and payload are read around them")
  func extensionsAreKeptAndPassedOver() throws {
    let bytes = SyntheticUnit.obu(
      6, [1, 2], isRedundant: true, trim: (200, 1), extensionBytes: [5, 6, 7])
    let found = try obu(bytes + [99])
    #expect(found.extensionBytes == [5, 6, 7] && found.isRedundant)
    #expect(found.trim == OBU.Trim(start: 200, end: 1))
    #expect(found.size == bytes.count && Array(bytes[found.payload]) == [1, 2])
  }

  /// Sizes that are too large, and headers that are longer than their unit.
  @Test(
    "an OBU whose header or size exceeds the bytes that it has is refused",
    arguments: ["", "30", "3005aabb", "330103aabb", "310205aa", "008080c00100", "3200"])
  func headersThatDontFit(hex: String) {
    #expect(throws: IAMFError.self) { try obu(SyntheticUnit.bytes(hex: hex)) }
  }

  @Test("an OBU of the most bytes allowed is read, and one of 2097153 bytes is refused")
  func theLargestUnit() throws {
    let content = Array(repeating: UInt8(1), count: OBU.mostBytes - 5)
    let whole = [UInt8(6 << 3)] + SyntheticUnit.leb128(content.count, size: 4) + content
    #expect(try obu(whole).size == OBU.mostBytes)
    let larger = [UInt8(6 << 3)] + SyntheticUnit.leb128(content.count + 1, size: 4) + content + [1]
    #expect(throws: IAMFError.malformed("an OBU of 2097153 bytes")) { try obu(larger) }
  }

  /// A raw file is read in pieces; units lie across their borders.
  @Test("40 OBUs of random sizes are read whole, in reads of 64 KiB at most")
  func unitsAcrossPieces() throws {
    var random = SeededNoise(seed: 11)
    var file: [UInt8] = []
    var sizes: [Int] = []
    for _ in 0..<40 {
      let count = Int.random(in: 0..<20_000, using: &random)
      let unit = SyntheticUnit.obu(7, (0..<count).map { UInt8(truncatingIfNeeded: $0) })
      sizes.append(unit.count)
      file += unit
    }
    var most = 0
    var reader = RawOBUReader(size: Int64(file.count)) { offset, count in
      most = max(most, count)
      return Array(file[Int(offset)..<Int(offset) + count])
    }
    var position = 0
    for size in sizes {
      let unit = try #require(try reader.next())
      #expect(unit.position == Int64(position) && unit.obu.size == size)
      #expect(unit.bytes.elementsEqual(file[position..<position + size]))
      position += size
    }
    #expect(try reader.next() == nil)
    #expect(most <= 1 << 16)
  }

  /// A temporal delimiter takes two bytes, fewer than a unit's header may have.
  @Test("a file of one temporal delimiter of 2 bytes gives that unit and ends")
  func aFileMayEndWithItsFirstUnit() throws {
    let file = SyntheticUnit.obu(4, [])
    var reader = RawOBUReader(size: Int64(file.count)) { offset, count in
      Array(file[Int(offset)..<Int(offset) + count])
    }
    #expect(file.count == 2)
    let unit = try #require(try reader.next())
    #expect(unit.bytes == file && reader.bytesLeft == 0)
    #expect(try reader.next() == nil)
  }

  @Test("an OBU reader whose reads return no bytes throws unreadable")
  func readingThatFailsIsNoDamage() {
    var reader = RawOBUReader(size: 100) { _, _ in [] }
    #expect(throws: IAMFError.unreadable) { try reader.next() }
  }
}
