// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Matroska

@Suite struct EBMLElementTests {
  private func built(_ body: (inout EBMLBuilder) -> Void) -> [UInt8] {
    var builder = EBMLBuilder()
    body(&builder)
    return builder.bytes
  }

  private func parsed(_ body: (inout EBMLBuilder) -> Void) throws -> EBMLElement {
    try #require(EBMLElement(built(body)[...]))
  }

  @Test("identifiers are unique, and their first byte tells their length")
  func identifiersAreWellFormed() {
    let names = Set(EBMLID.allCases.map(\.name))
    #expect(names.count == EBMLID.allCases.count)
    for id in EBMLID.allCases {
      #expect(id.bytes.first.map { $0.leadingZeroBitCount + 1 } == id.bytes.count, "\(id.name)")
    }
    #expect(EBMLID.ebmlMaxIDLength.name == "EBMLMaxIDLength")
    #expect(EBMLID.crc32.name == "CRC-32" && EBMLID.docType.name == "DocType")
    #expect(EBMLID.name(0x4242) == "0x4242")
  }

  @Test(
    "unsigned integers take the fewest bytes",
    arguments: [
      (0, [0x00]), (1, [0x01]), (255, [0xFF]), (256, [0x01, 0x00]),
      (.max, Array(repeating: 0xFF, count: 8)),
    ] as [(UInt64, [UInt8])])
  func unsignedIntegers(value: UInt64, bytes: [UInt8]) throws {
    let element = try parsed { $0.unsigned(.trackNumber, value) }
    #expect(Array(element.body) == bytes && element.unsigned == value)
  }

  @Test(
    "signed integers take the fewest bytes",
    arguments: [
      (0, [0x00]), (-1, [0xFF]), (127, [0x7F]), (128, [0x00, 0x80]), (-128, [0x80]),
      (-129, [0xFF, 0x7F]), (.min, [0x80, 0, 0, 0, 0, 0, 0, 0]),
      (.max, [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(Int64, [UInt8])])
  func signedIntegers(value: Int64, bytes: [UInt8]) throws {
    let element = try parsed { $0.signed(.discardPadding, value) }
    #expect(Array(element.body) == bytes && element.signed == value)
  }

  @Test("floating-point numbers of four and eight bytes and none are read, others aren't")
  func floats() throws {
    #expect(try parsed { $0.float(.duration, 10_002.5625) }.float == 10_002.5625)
    #expect(try parsed { $0.binary(.duration, [0x3F, 0x80, 0, 0]) }.float == 1)
    #expect(try parsed { $0.binary(.duration, []) }.float == 0)
    #expect(try parsed { $0.binary(.duration, [1, 2, 3]) }.float == nil)
    #expect(try parsed { $0.float(.duration, .infinity) }.float == nil)
    #expect(try parsed { $0.binary(.trackNumber, [UInt8](repeating: 1, count: 9)) }.unsigned == nil)
  }

  @Test("texts end at their first zero, and are written without any")
  func texts() throws {
    #expect(try parsed { $0.text(.name, "a\u{0}b") }.text == "ab")
    #expect(try parsed { $0.binary(.name, Array("ab".utf8) + [0, 0]) }.text == "ab")
  }

  @Test("masters hold their children, Void and CRC-32 are passed over")
  func masters() throws {
    let element = try parsed { builder in
      builder.master(.info) {
        $0.binary(.crc32, [1, 2, 3, 4])
        $0.text(.title, "t")
        $0.append(EBMLBuilder.void(length: 9))
        $0.unsigned(.timestampScale, 5)
      }
    }
    #expect(element.children.map(\.known) == [.title, .timestampScale])
    #expect(element.children[.timestampScale]?.unsigned == 5)
  }

  @Test("Void has any length from 2", arguments: [2, 3, 128, 129, 130, 200, 16_384, 70_000])
  func voidLengths(length: Int) {
    let bytes = EBMLBuilder.void(length: length)
    #expect(bytes.count == length)
    #expect(EBMLElement(bytes[...])?.bytes.count == length)
  }

  @Test("an element that is cut, or states no size, is none in memory")
  func cutElements() {
    let bytes = built { $0.text(.name, "abc") }
    for length in 0..<bytes.count { #expect(EBMLElement(bytes[..<length]) == nil) }
    #expect(EBMLElement(MatroskaBytes.open(.cluster, [])[...]) == nil)
    #expect(EBMLElement.all(in: (bytes + bytes.dropLast())[...]).count == 1)
  }

  @Test("times are rounded once, halves upwards on both sides of zero")
  func timesAreRounded() {
    #expect(MediaTime(ticks: 312, rate: 48_000).nanoseconds == 6_500_000)
    #expect(MediaTime(ticks: 1, rate: 48_000).nanoseconds == 20_833)
    #expect(MediaTime(ticks: 1, rate: 2000).units(nanoseconds: 1_000_000) == 1)
    #expect(MediaTime(ticks: -1, rate: 2000).units(nanoseconds: 1_000_000) == 0)
    #expect(MediaTime(ticks: -3, rate: 2000).units(nanoseconds: 1_000_000) == -1)
    #expect(MediaTime(ticks: .max, rate: 1).units(nanoseconds: 1) == .max)
    #expect(MediaTime(ticks: .min, rate: 1).units(nanoseconds: 1) == .min)
    #expect(MediaTime(ticks: 480_123, rate: 48_000).exactUnits(nanoseconds: 10_000) == 1_000_256.25)
  }
}
