// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Findings from the numbers and checksums of an Ogg file's pages (RFC 3533, 6).
@Suite struct OggPageWalkTests {
  /// A page with a checksum that is worked out bit by bit.
  private func page(
    _ number: UInt32, serial: UInt32 = 7, position: UInt64 = 960, isFirst: Bool = false,
    isLast: Bool = false, _ payload: [UInt8] = [1, 2, 3]
  ) -> [UInt8] {
    var page =
      Array("OggS".utf8) + [0, isFirst ? 2 : isLast ? 4 : 0] + OggPageWalkTests.little(position, 8)
    page += OggPageWalkTests.little(UInt64(serial), 4) + [UInt8](repeating: 0, count: 8)
    page += [1, UInt8(payload.count)] + payload
    return OggPageWalkTests.numbered(page, number)
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  /// The page with another number, and the checksum of that.
  static func numbered(_ page: [UInt8], _ number: UInt32) -> [UInt8] {
    var page = page
    // The checksum behind the number counts as 0.
    page.replaceSubrange(18..<26, with: little(UInt64(number), 8))
    var sum: UInt32 = 0
    for byte in page {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    page.replaceSubrange(22..<26, with: little(UInt64(sum), 4))
    return page
  }

  private func walk(_ pages: [[UInt8]]) throws -> OggPageWalk {
    let folder = try TemporaryFolder()
    try Data(pages.flatMap(\.self)).write(to: folder.url("a.ogg"))
    return OggPageWalk(try LocalFile(path: folder.file("a.ogg")))
  }

  private func head(serial: UInt32 = 7, channels: UInt8 = 2) -> [UInt8] {
    page(0, serial: serial, position: 0, isFirst: true, Array("OpusHead".utf8) + [1, channels, 0])
  }

  private var tags: [UInt8] { page(1, position: 0) }

  @Test("a whole Ogg file has no missing or damaged pages and no stray bytes")
  func aWholeFileLacksNothing() throws {
    let found = try walk([head(channels: 6), tags] + (2..<9).map { page($0) })
    #expect(found.missingPages == 0 && found.damagedPages == 0 && found.strayBytes == 0)
    #expect(found.channels == [6] && !found.isStartMissing)
  }

  /// Missing pages are counted by the numbers around them; numbers that go back say nothing of how many.
  @Test(
    "missing pages are counted by the numbers around them, and a missing start is noticed",
    arguments: [
      ([2, 6, 7], 3), ([2, 4, 6], 2), ([2, 3, 3, 4], 1), ([5, 2, 3], 4), ([2, 1_000_002], 999_999),
    ] as [([UInt32], Int)])
  func missingPagesAreCounted(numbers: [UInt32], count: Int) throws {
    let found = try walk([head(), tags] + numbers.map { page($0) })
    #expect(found.missingPages == count && found.isStartMissing == (numbers[0] != 2))
  }

  @Test("page numbers go on with 0 after the largest of 32 bits")
  func numbersGoOnBehindTheLargest() throws {
    var pages = [head(), page(.max - 1), page(.max), page(0), page(1)]
    #expect(try walk(pages).missingPages == Int(UInt32.max) - 2)
    pages.remove(at: 3)
    #expect(try walk(pages).missingPages == Int(UInt32.max) - 1)
  }

  /// Streams count for themselves, and only those of sound count.
  @Test("missing pages are counted in each stream of sound by itself, and not in others")
  func everyStreamHasNumbersOfItsOwn() throws {
    let other = page(0, serial: 9, position: 0, isFirst: true, Array("fishead ".utf8))
    let found = try walk([
      head(), head(serial: 8, channels: 1), other, tags, page(1, serial: 8), page(2, serial: 8),
      page(4, serial: 8), page(2), page(40, serial: 9),
    ])
    #expect(found.missingPages == 1 && found.channels == [2, 1])
  }

  /// A page that was begun and isn't complete is what a cut leaves; other bytes are no sound.
  @Test(
    "a file is cut where its last page isn't the stream's last, or another begins after it, and not by other bytes",
    arguments: [
      ([], false), ([0, 0, 0, 0], false), (Array("Ogg".utf8), true), (Array("OggS".utf8), true),
      (Array("TAG".utf8), false), ([1, 2] + Array("OggS".utf8), true),
    ] as [([UInt8], Bool)])
  func bytesAfterTheLastPageAreNoCut(rest: [UInt8], isCut: Bool) {
    #expect(OggPage.isCut(head() + page(1) + page(2, isLast: true) + rest) == isCut)
    #expect(OggPage.isCut(head() + page(1) + page(2) + rest))
  }

  @Test("a damaged page counts as damaged and missing, and its bytes as stray")
  func aDamagedPageIsStrayBytes() throws {
    var broken = page(3)
    broken[broken.count - 1] ^= 1
    let found = try walk([head(), tags, page(2), broken, page(4), [1, 2, 3, 4, 5], page(5)])
    #expect(found.damagedPages == 1 && found.missingPages == 1)
    #expect(found.strayBytes == Int64(broken.count + 5))
  }
}
