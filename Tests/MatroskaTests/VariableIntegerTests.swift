// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Matroska

@Suite struct VariableIntegerTests {
  /// RFC 8794, 4.4: the value 2 in its first widths.
  @Test(
    "the examples of the standard are read",
    arguments: [
      ([0x82], 2), ([0x40, 0x02], 2), ([0x20, 0x00, 0x02], 2), ([0x10, 0x00, 0x00, 0x02], 2),
    ] as [([UInt8], UInt64)])
  func examplesAreRead(bytes: [UInt8], value: UInt64) {
    #expect(
      VariableInteger.parse(bytes) == VariableInteger.Parsed(value: value, width: bytes.count))
    #expect(VariableInteger.bytes(value, width: bytes.count) == bytes)
  }

  /// RFC 8794, 6.1 and 6.2: 127 has all value bits of one byte, which mean an unknown size there.
  @Test("sizes use the fewest bytes that aren't the mark of an unknown size")
  func sizesAreShort() {
    #expect(VariableInteger.bytes(0) == [0x80])
    #expect(VariableInteger.bytes(126) == [0xFE])
    #expect(VariableInteger.bytes(127) == [0x40, 0x7F])
    #expect(VariableInteger.bytes(128) == [0x40, 0x80])
    #expect(VariableInteger.bytes(16_382) == [0x7F, 0xFE])
    #expect(VariableInteger.bytes(16_383) == [0x20, 0x3F, 0xFF])
  }

  @Test("the bounds of every width are written and read", arguments: 1...8)
  func boundsOfWidths(width: Int) throws {
    let most = UInt64(1) << UInt64(7 * width) - 2
    #expect(VariableInteger.width(of: most) == width)
    #expect(VariableInteger.bytes(most).count == width)
    for value in [0, 1, most - 1, most] {
      let bytes = VariableInteger.bytes(value, width: width)
      #expect(bytes.count == width)
      #expect(VariableInteger.parse(bytes)?.value == value)
      #expect(VariableInteger.parse(bytes + [7])?.width == width)
      for cut in 0..<width { #expect(VariableInteger.parse(bytes[..<cut]) == nil) }
    }
    let unknown = VariableInteger.unknown(width: width)
    #expect(VariableInteger.parse(unknown) == VariableInteger.Parsed(value: nil, width: width))
  }

  @Test("values beyond the width are clamped, and 0 is no first byte")
  func impossibleValues() {
    #expect(VariableInteger.bytes(.max) == [0x01] + Array(repeating: 0xFF, count: 6) + [0xFE])
    #expect(VariableInteger.bytes(500, width: 1) == [0xFE])
    #expect(VariableInteger.parse([0, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]) == nil)
    #expect(VariableInteger.parse([] as [UInt8]) == nil)
  }

  /// RFC 9559, 10.3.3: one byte has −63…63, two have −8191…8191.
  @Test(
    "differences of laced sizes are read",
    arguments: [
      ([0x80], -63), ([0xBF], 0), ([0xFE], 63), ([0x40, 0x00], -8191), ([0x5F, 0xFF], 0),
      ([0x5F, 0x24], -219), ([0x7F, 0xFE], 8191),
    ] as [([UInt8], Int64)])
  func differences(bytes: [UInt8], value: Int64) throws {
    let parsed = try #require(VariableInteger.parseSigned(bytes[...]))
    #expect(parsed.value == value && parsed.width == bytes.count)
  }
}
