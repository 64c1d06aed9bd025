/// The codebooks that spectra are read with.
final class SpectralBooks {
  /// Magnitude in codebook 11 that announces a larger one behind the codeword.
  static let escape: Int16 = 16

  private let books = (1...11).map(SpectralBook.init)
  /// Differences of scale factors and prediction gains.
  let scaleFactor = HuffmanDecoder(Codebooks.asfScalefac)
  /// Differences of noise fill levels.
  let noiseFill = HuffmanDecoder(Codebooks.asfSnf)

  /// Codebook `number`, 1…11.
  subscript(number: Int) -> SpectralBook { books[number - 1] }
}
