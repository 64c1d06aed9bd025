// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ObjectMetadata

/// How objects are turned down in smaller layouts, as `trim_element` says.
@Suite struct TrimReaderTests {
  /// The trims of a string of bits, blanks left out; zeros follow.
  private func read(_ text: String) throws -> (frame: ObjectFrame, goesOn: Bool) {
    let digits = Array((text + String(repeating: "0", count: 64)).utf8.filter { $0 != 0x20 })
    let bytes = stride(from: 0, to: digits.count / 8 * 8, by: 8).map { place in
      digits[place..<place + 8].reduce(UInt8(0)) { $0 << 1 | ($1 - 0x30) }
    }
    let frame = ObjectFrame()
    frame.assignment.count = 3
    let goesOn = try bytes.withUnsafeBufferPointer { buffer in
      var bits = ObjectBitReader(buffer)
      return try TrimReader.read(&bits, into: frame)
    }
    return (frame, goesOn)
  }

  /// Warp 1, trims of each layout: one of its own for the first, the standard's for the others.
  private func first(_ trim: String) throws -> Trim? {
    let found = try read("01 00 10 " + trim + String(repeating: " 1", count: 8) + " 0")
    #expect(found.goesOn && found.frame.trims.count == Trim.layouts && found.frame.warp == 1)
    #expect(found.frame.trims.dropFirst().allSatisfy { $0 == Trim() })
    return found.frame.trims.first
  }

  /// A set bit of sign is plus; the amount has sixteen steps.
  @Test(
    "a trim's balances have a sign and sixteen steps",
    arguments: [
      ("1 0000", 1.0 / 16), ("0 0000", -1.0 / 16), ("1 1111", 1), ("0 1111", -1), ("0 0111", -0.5),
    ] as [(String, Double)])
  func balancesHaveASign(code: String, balance: Double) throws {
    let height = try #require(try first("0 0 01000 " + code))
    #expect(height.mode == .custom && height.heightBalance == balance)
    #expect(height.listenerBalance == nil && height.center == nil)
    let listener = try #require(try first("0 0 10000 " + code))
    #expect(listener.listenerBalance == balance && listener.heightBalance == nil)
  }

  /// The lowest bit that tells what is sent is the centre's; values come in that order.
  @Test("a trim's values come in the order of centre, surround, height and balances")
  func valuesComeInTheirOrder() throws {
    let all = try #require(try first("0 0 11111 0001 0010 0011 1 0000 0 0001"))
    let levels = [all.center, all.surround, all.height]
    #expect(levels == [1, 2, 3].map { ObjectTables.trims[$0] })
    #expect(all.heightBalance == 1.0 / 16 && all.listenerBalance == -2.0 / 16)
    #expect(try first("0 1")?.mode == .disabled && first("1")?.mode == .standard)
  }

  @Test("objects excluded from trims are marked, and warp 3 ends the reading")
  func singleObjectsAreLeftOut() throws {
    #expect(try read("00 00 00 1 101").frame.untrimmed == 0b101)
    #expect(try read("00 00 00 0 111").frame.untrimmed == 0)
    #expect(try !read("11").goesOn)
  }
}
