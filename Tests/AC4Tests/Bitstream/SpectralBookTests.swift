// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Spectral codewords and checksums, bit by bit as the standard writes them.
@Suite struct SpectralBookTests {
  private static let codes = [
    Codebooks.asf1, Codebooks.asf2, Codebooks.asf3, Codebooks.asf4, Codebooks.asf5, Codebooks.asf6,
    Codebooks.asf7, Codebooks.asf8, Codebooks.asf9, Codebooks.asf10, Codebooks.asf11,
  ]

  /// Writes quantised lines as codewords, signs and escapes (TS 103 190-1, 4.2.8.4 and 5.1.2).
  private func write(_ lines: [Int], book: Int, _ bits: inout BitWriter) {
    let code = Self.codes[book - 1]
    let isUnsigned = ![1, 2, 5, 6].contains(book)
    let modulus = [3, 3, 3, 3, 9, 9, 8, 8, 13, 13, 17][book - 1]
    let digits = lines.map { isUnsigned ? min(abs($0), modulus - 1) : $0 + code.offset }
    let symbol = digits.reduce(0) { $0 * modulus + $1 }
    bits.write(Int(code.codewords[symbol]), Int(code.lengths[symbol]))
    if isUnsigned { for line in lines where line != 0 { bits.write(line < 0) } }
    for line in lines where book == 11 && abs(line) >= 16 {
      let width = Int.bitWidth - 1 - abs(line).leadingZeroBitCount
      for _ in 4..<width { bits.write(true) }
      bits.write(false)
      bits.write(abs(line) - 1 << width, width)
    }
  }

  /// A random line of a book; large ones, escapes among them, are rare.
  private func line(_ book: Int, _ noise: inout SeededNoise) -> Int {
    let largest = [1, 1, 2, 2, 4, 4, 7, 7, 12, 12, 15][book - 1]
    if book == 11, Int.random(in: 0..<6, using: &noise) == 0 {
      return Int.random(in: 16...8191, using: &noise) * (Bool.random(using: &noise) ? 1 : -1)
    }
    return Int.random(in: -largest...largest, using: &noise)
  }

  /// `sf_data` of one long window, all in one book, without noise.
  private func data(_ lines: [Int], book: Int, bands: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(book, 4)
    bits.write(31, 5)
    bits.write(bands - 32, 5)
    let dimension = book <= 4 ? 4 : 2
    for start in stride(from: 0, to: lines.count, by: dimension) {
      write(Array(lines[start..<start + dimension]), book: book, &bits)
    }
    bits.write(120, 8)
    for _ in 1..<bands { Track.write(0, Codebooks.asfScalefac, &bits) }
    bits.write(false)
    bits.align()
    return bits.bytes
  }

  @Test("spectral lines written with a codebook are read back", arguments: 1...11)
  func linesAreThoseThatWereWritten(book: Int) throws {
    var noise = SeededNoise(seed: UInt64(book))
    let sizes = TransformSizes(frameLength: 2048)
    var layout = WindowLayout(silent: sizes)
    let bands = 40
    layout.bands = SIMD2(repeating: UInt8(bands))
    let count = sizes.borders(sizes.count - 1)[bands]
    var lines = (0..<count).map { _ in line(book, &noise) }
    // A band without a line has no scale factor.
    for band in 0..<bands { lines[sizes.borders(sizes.count - 1)[band]] = 1 }
    let bytes = data(lines, book: book, bands: bands)
    let track = SpectralTrack(sizes)
    let books = SpectralBooks()
    try bytes.withUnsafeBufferPointer { bytes in
      var bits = BitReader(bytes)
      try track.read(&bits, layout, books)
      #expect(bits.remaining < 8)
      #expect((0..<count).map { Int(track.lines.base[$0]) } == lines)
    }
    // A frame that ends anywhere among its lines is damaged.
    for length in stride(from: 0, to: bytes.count - 20, by: 37) {
      bytes.withUnsafeBufferPointer { bytes in
        var bits = BitReader(UnsafeBufferPointer(rebasing: bytes[..<length]))
        #expect(throws: AC4Error.damaged("data end too early")) {
          try track.read(&bits, layout, books)
        }
      }
    }
  }

  @Test("the checksum is the polynomial's") func checksumsAreThoseOfTheFormula() {
    var noise = SeededNoise(seed: 99)
    let bytes = (0..<80).map { _ in UInt8.random(in: 0...255, using: &noise) }
    for (start, count) in (0..<8).flatMap({ start in (0...70).map { (start, $0) } }) {
      let part = bytes[start..<start + count]
      var sum: UInt32 = 0
      for byte in part {
        for bit in stride(from: 7, through: 0, by: -1) {
          sum = sum << 1 ^ UInt32(byte >> UInt8(bit) & 1) << 16
          if sum & 0x10000 != 0 { sum ^= 0x18005 }
        }
      }
      // The formula has 16 bits of zeros behind the data, as the shift register has them in it.
      #expect(Checksums.dolby.of(part) == UInt16(sum & 0xFFFF))
    }
  }
}
