// SPDX-License-Identifier: Apache-2.0
import Signal
import Testing

@Suite struct CRCTests {
  private static let nine = Array("123456789".utf8)

  @Test("checksums of nine digits are those of the catalogue of CRC algorithms")
  func knownSums() {
    let nine = CRCTests.nine
    #expect(Checksums.dolby.of(nine) == 0xFEE8)
    #expect(Checksums.mp3.of(nine) == 0xBB3D)
    #expect(Checksums.flacHeader.of(nine) == 0xF4)
    #expect(Checksums.oggPage.of(nine, from: .max) == 0x0376_E6E7)
    #expect(Checksums.oggPage.of(nine) == 0x89A1_897F)
  }

  @Test("a sum is that of a division bit by bit, for any length and start", arguments: 0..<40)
  func sumsAreRemainders(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
    for start in [0, 0xA5C3] as [UInt16] {
      let plain = bytes.reduce(start) { sum, byte in
        (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
          sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005
        }
      }
      let reflected = bytes.reduce(start) { sum, byte in
        (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
      }
      #expect(Checksums.dolby.of(bytes, from: start) == plain)
      #expect(Checksums.mp3.of(bytes, from: start) == reflected)
    }
  }

  @Test("bytes in two pieces have the sum of the whole", arguments: [0, 1, 8, 13, 30])
  func piecesAddUp(cut: Int) {
    let bytes = (0..<30).map { UInt8($0) ^ 0x5A }
    let (front, rest) = (bytes.prefix(cut), bytes.dropFirst(cut))
    #expect(
      Checksums.oggPage.of(rest, from: Checksums.oggPage.of(front)) == Checksums.oggPage.of(bytes))
    #expect(Checksums.mp3.of(rest, from: Checksums.mp3.of(front)) == Checksums.mp3.of(bytes))
    #expect(
      Checksums.flacHeader.of(rest, from: Checksums.flacHeader.of(front))
        == Checksums.flacHeader.of(bytes))
  }
}
