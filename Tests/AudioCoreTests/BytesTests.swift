// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@Suite struct BytesTests {
  private static let bytes: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0xF5, 0x06, 0x07, 0x08]

  @Test("bytes are a number from either end")
  func bytesAreNumbers() {
    let bytes = BytesTests.bytes
    #expect(bytes[1..<4].bigEndian(Int.self) == 0x02_03_04)
    #expect(bytes[1..<4].littleEndian(Int.self) == 0x04_03_02)
    #expect(bytes.bigEndian(UInt16.self) == 0x0708)
    #expect([UInt8](repeating: 0xFF, count: 8).bigEndian(Int64.self) == -1)
    #expect(bytes[4..<5].littleEndian(Int8.self) == -11)
    #expect([UInt8]().bigEndian(Int.self) == 0)
  }

  @Test("a number at a place is read there, and 0 beyond the end")
  func numbersAreReadAtPlaces() {
    let bytes = BytesTests.bytes
    #expect(bytes.bigEndian16(at: 3) == 0x04F5)
    #expect(bytes.bigEndian32(at: 4) == 0xF506_0708)
    #expect(bytes.bigEndian64(at: 0) == 0x0102_0304_F506_0708)
    #expect(bytes.littleEndian(UInt16.self, at: 3) == 0xF504)
    #expect(bytes.littleEndian(Int32.self, at: 1) == Int32(bitPattern: 0xF504_0302))
    for place in [-1, 7, 8, Int.max] {
      #expect(bytes.bigEndian16(at: place) == 0)
      #expect(bytes.littleEndian(UInt16.self, at: place) == 0)
    }
    #expect(bytes.bigEndian32(at: 6) == 0x0708_0000)
    #expect(bytes.littleEndian(UInt32.self, at: 5) == 0)
  }

  @Test("a number's bytes stand in either order, as many as it has")
  func numbersHaveBytes() {
    #expect(UInt16(0x1234).bigEndianBytes == [0x12, 0x34])
    #expect(UInt32(0x1234).littleEndianBytes == [0x34, 0x12, 0, 0])
    #expect(Int64(-2).littleEndianBytes == [0xFE] + [UInt8](repeating: 0xFF, count: 7))
  }

  @Test("a reader takes what is there, and nothing where there is less")
  func readersTakeBytes() {
    var reader = ByteReader(BytesTests.bytes[2..<5])
    #expect(reader.take(2)?.littleEndian(Int.self) == 0x0403)
    #expect(reader.take(2) == nil)
    #expect(reader.take(-1) == nil)
    #expect(reader.take(1) == [0xF5])
    #expect(reader.take(0)?.isEmpty == true)
    #expect(reader.rest.isEmpty)
  }
}
