// SPDX-License-Identifier: Apache-2.0
import Signal

/// A codebook of quantised spectral lines (TS 103 190-1, 5.1.2 and Annex A.1).
final class SpectralBook {
  /// The most codewords, with their signs, that fit into 57 bits: none has more than 15 + 4.
  static let batch = 3
  /// Magnitude in codebook 11 that announces a larger one behind the codeword.
  static let escape: Int16 = 16

  /// Lines per codeword, 2 or 4.
  let dimension: Int
  /// The lines that each symbol stands for, less their signs in an unsigned book; those beyond the
  /// dimension are 0.
  let values: Buffer<SIMD4<Int16>>
  /// For every ten bits that data may begin with, what ``Entry`` reads out of it; 0 where the codeword is
  /// longer.
  private let short: Buffer<UInt64>
  /// Entries by symbol.
  private let entries: Buffer<UInt64>
  private let decoder: HuffmanDecoder

  /// The facts about a codeword that its number alone gives: bits 0 to 5 have its length with the signs behind it,
  /// bits 6 to 11 that without them, bits 12 to 15 a 1 for each line that has a sign, bit 16 a 1 if a line is
  /// an escape, bits 17 and up the symbol.
  struct Entry {
    let code: UInt64

    /// Bits of the codeword and its signs.
    @inline(__always) var length: Int { Int(code & 63) }
    /// Whether larger magnitudes follow.
    @inline(__always) var hasEscape: Bool { code & 0x10000 != 0 }
    /// Index of the lines in ``SpectralBook/values``.
    @inline(__always) var symbol: Int { Int(code &>> 17) }

    /// Index in ``SpectralBook/signs`` of the signs behind the codeword that `word` begins with.
    @inline(__always)
    func signs(_ word: UInt64) -> Int {
      Int((word &<< (code &>> 6 & 63)) &>> 60 | code &>> 8 & 0xF0)
    }
  }

  /// For the lines that have a sign (four bits, the first line's lowest) and the next four bits of data,
  /// −1 for each line that is negative and 0 for the others.
  let signs: Buffer<SIMD4<Int16>>

  /// Values of ``signs``, the same for all books.
  static func makeSigns() -> Buffer<SIMD4<Int16>> {
    let signs = Buffer(SIMD4<Int16>(repeating: 0), count: 256)
    for index in 0..<256 {
      var bit = 8
      for line in 0..<4 where index >> (4 + line) & 1 == 1 {
        signs.base[index][line] = index & bit != 0 ? -1 : 0
        bit >>= 1
      }
    }
    return signs
  }

  /// The book with this number, 1…11; `signs` are those of ``makeSigns()``.
  init(number: Int, signs: Buffer<SIMD4<Int16>>) {
    self.signs = signs
    let codes = [
      Codebooks.asf1, Codebooks.asf2, Codebooks.asf3, Codebooks.asf4, Codebooks.asf5,
      Codebooks.asf6, Codebooks.asf7, Codebooks.asf8, Codebooks.asf9, Codebooks.asf10,
      Codebooks.asf11,
    ]
    let code = codes[number - 1]
    decoder = HuffmanDecoder(code)
    dimension = number <= 4 ? 4 : 2
    let isUnsigned = ![1, 2, 5, 6].contains(number)
    // A symbol has the lines as its digits, the first as the most significant one, in this base.
    let modulus = [3, 3, 3, 3, 9, 9, 8, 8, 13, 13, 17][number - 1]
    values = Buffer(SIMD4(repeating: 0), count: decoder.count)
    entries = Buffer(0, count: decoder.count)
    for symbol in 0..<decoder.count {
      var rest = symbol
      for line in stride(from: dimension - 1, through: 0, by: -1) {
        values.base[symbol][line] = Int16(rest % modulus - code.offset)
        rest /= modulus
      }
      let lines = values.base[symbol]
      let signed = (0..<4).reduce(0) { $0 | (isUnsigned && lines[$1] != 0 ? 1 << $1 : 0) }
      let length = Int(code.lengths[symbol])
      let escape = number == 11 && lines.max() == SpectralBook.escape ? 1 : 0
      entries.base[symbol] = UInt64(
        symbol << 17 | escape << 16 | signed << 12 | length << 6 | length + signed.nonzeroBitCount)
    }
    short = Buffer(0, count: 1 << HuffmanDecoder.shortBits)
    for index in 0..<short.count {
      let found = decoder.search(UInt32(index) << UInt32(32 - HuffmanDecoder.shortBits))
      guard found & 31 <= HuffmanDecoder.shortBits else { continue }
      short.base[index] = entries.base[Int(found >> 5)]
    }
  }

  /// The codeword that `word` begins with.
  @inline(__always)
  func entry(_ word: UInt64) -> Entry {
    let code = short.base[Int(word &>> UInt64(64 - HuffmanDecoder.shortBits))]
    return Entry(code: code != 0 ? code : search(word))
  }

  private func search(_ word: UInt64) -> UInt64 {
    entries.base[Int(decoder.search(UInt32(truncatingIfNeeded: word &>> 32)) >> 5)]
  }
}

/// The codebooks that spectra are read with.
final class SpectralBooks {
  private let books: [SpectralBook] = {
    let signs = SpectralBook.makeSigns()
    return (1...11).map { SpectralBook(number: $0, signs: signs) }
  }()
  /// Differences of scale factors and prediction gains.
  let scaleFactor = HuffmanDecoder(Codebooks.asfScalefac)
  /// Differences of noise fill levels.
  let noiseFill = HuffmanDecoder(Codebooks.asfSnf)

  /// Codebook `number`, 1…11.
  subscript(number: Int) -> SpectralBook { books[number - 1] }
}
