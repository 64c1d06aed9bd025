/// A codebook of quantised spectral lines (TS 103 190-1, 5.1.2 and Annex A.1).
final class SpectralBook {
  /// Decoder of the codewords.
  let decoder: HuffmanDecoder
  /// Lines per codeword, 2 or 4.
  let dimension: Int
  /// Whether sign bits follow the codeword.
  let isUnsigned: Bool
  /// The lines that each symbol stands for; those beyond the dimension are 0.
  let values: FixedBuffer<SIMD4<Int16>>

  /// The book with this number, 1…11.
  init(number: Int) {
    let codes = [
      Codebooks.asf1, Codebooks.asf2, Codebooks.asf3, Codebooks.asf4, Codebooks.asf5,
      Codebooks.asf6, Codebooks.asf7, Codebooks.asf8, Codebooks.asf9, Codebooks.asf10,
      Codebooks.asf11,
    ]
    let code = codes[number - 1]
    decoder = HuffmanDecoder(code)
    dimension = number <= 4 ? 4 : 2
    isUnsigned = ![1, 2, 5, 6].contains(number)
    // A symbol has the lines as its digits, the first as the most significant one, in this base.
    let modulus = [3, 3, 3, 3, 9, 9, 8, 8, 13, 13, 17][number - 1]
    values = FixedBuffer(SIMD4(repeating: 0), count: decoder.count)
    for symbol in 0..<decoder.count {
      var rest = symbol
      for line in stride(from: dimension - 1, through: 0, by: -1) {
        values.base[symbol][line] = Int16(rest % modulus - code.offset)
        rest /= modulus
      }
    }
  }
}
