// SPDX-License-Identifier: Apache-2.0
import Signal
import Testing

/// Bit fields, against a reader that takes one bit at a time.
struct BitReaderTests {
  private enum Failure: BitstreamFailure, Equatable {
    case damaged(String)
  }

  /// 64 bytes that no pattern repeats in.
  private let bytes: [UInt8] = {
    var state: UInt32 = 12345
    return (0..<64).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }()

  /// The number in `count` bits from bit `start` on; bits beyond the end are 0.
  private func plain(_ start: Int, _ count: Int) -> Int {
    (start..<start + count).reduce(0) { value, bit in
      let isIn = bit < bytes.count * 8
      return value * 2 + (isIn ? Int(bytes[bit / 8]) >> (7 - bit % 8) & 1 : 0)
    }
  }

  @Test("fields of 0…32 bits at each place are those of a reader bit by bit", arguments: 0...32)
  func fieldsOfEveryWidthAtEveryPlace(_ width: Int) throws {
    try bytes.withUnsafeBufferPointer { buffer in
      for start in 0...(bytes.count * 8 - width) {
        var reader = BitReader<Failure>(buffer)
        try reader.move(to: start)
        #expect(try reader.read(width) == plain(start, width))
        #expect(reader.position == start + width)
      }
    }
  }

  @Test("a long peek at each place has the next 57 bits or more and then zeros")
  func longPeeksHave57BitsAndThenZeros() throws {
    try bytes.withUnsafeBufferPointer { buffer in
      for start in 0...bytes.count * 8 {
        var reader = BitReader<Failure>(buffer)
        try reader.move(to: start)
        let word = reader.peekLong()
        #expect(Int(word >> 7) == plain(start, 57))
        let rest = 64 - start % 8
        #expect(
          word == UInt64(plain(start, rest - 32)) << UInt64(96 - rest)
            | UInt64(plain(start + rest - 32, 32)) << UInt64(64 - rest))
        #expect(reader.position == start)
      }
    }
  }

  @Test("four bits with three left are refused, and the three can still be read")
  func nothingIsReadBeyondTheEnd() throws {
    try bytes.withUnsafeBufferPointer { buffer in
      var reader = BitReader<Failure>(buffer)
      try reader.move(to: bytes.count * 8 - 3)
      #expect(throws: Failure.damaged("data end too early")) { try reader.read(4) }
      #expect(reader.remaining == 3)
      #expect(try reader.read(3) == plain(bytes.count * 8 - 3, 3))
    }
  }

  @Test("a lenient reader gives zeros beyond the end and is exhausted there")
  func aLenientReaderGivesZerosAndSaysSo() {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = BitReader<Never>(buffer)
      var place = 0
      for width in [1, 7, 31, 32, 5] + [Int](repeating: 29, count: 20) {
        #expect(reader.read(width) == plain(place, width))
        place += width
        #expect(reader.isExhausted == (place > bytes.count * 8))
      }
    }
  }

  @Test("an empty reader refuses a bit, and an empty lenient one gives zeros")
  func anEmptyReaderHoldsNothing() {
    var reader = BitReader<Failure>(UnsafeBufferPointer(start: nil, count: 0))
    #expect(reader.remaining == 0)
    #expect(throws: Failure.self) { try reader.flag() }
    var lenient = BitReader<Never>(UnsafeBufferPointer(start: nil, count: 0))
    #expect(lenient.read(32) == 0)
    #expect(lenient.isExhausted)
  }

  @Test("a part of two bytes holds 16 bits, and one beyond the end is refused")
  func aPartEndsWhereItShould() throws {
    try bytes.withUnsafeBufferPointer { buffer in
      var part = try BitReader<Failure>(buffer).part(at: 10, count: 2)
      #expect(part.position == 80)
      #expect(try part.read(16) == plain(80, 16))
      #expect(throws: Failure.self) { try part.read(1) }
      #expect(throws: Failure.self) { try BitReader<Failure>(buffer).part(at: 63, count: 2) }
    }
  }

  @Test("whole bytes from within a byte are read to the last, and one more is refused")
  func wholeBytesAreReadToTheLast() throws {
    try bytes.withUnsafeBufferPointer { buffer in
      var reader = BitReader<Failure>(buffer)
      try reader.move(to: 4)
      #expect(try reader.bytes(63) == (0..<63).map { UInt8(plain(4 + 8 * $0, 8)) })
      #expect(reader.remaining == 4)
      #expect(throws: Failure.damaged("data end too early")) { try reader.bytes(1) }
      #expect(try reader.bytes(0).isEmpty)
    }
  }

  /// variable_bits(2) of ETSI TS 103 190-1, 4.2.2: each further group adds (value + 1) · 4.
  @Test(
    "variable_bits in one and two groups have the values of TS 103 190-1",
    arguments: [
      ([0b0000_0000], 0), ([0b1100_0000], 3), ([0b0010_0000], 4), ([0b1111_1000], 19),
    ] as [([UInt8], Int)])
  func variableBits(_ row: ([UInt8], Int)) throws {
    try (row.0 + [0]).withUnsafeBufferPointer { buffer in
      var reader = BitReader<Failure>(buffer)
      let value = try reader.variableBits(2)
      #expect(value == row.1)
    }
  }
}
