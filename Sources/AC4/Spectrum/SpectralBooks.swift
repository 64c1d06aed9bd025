import Signal

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
