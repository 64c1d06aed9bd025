import Signal

/// Convolution of filters in Double.
enum Convolution {
  /// All taps of the convolution of two filters.
  static func full(_ one: [Double], _ other: [Double]) -> [Double] {
    guard !one.isEmpty, !other.isEmpty else { return [] }
    let count = one.count + other.count - 1
    let fft = DoubleFFT(length: max(64, count))
    let padding = [Double](repeating: 0, count: fft.length)
    var re = one + padding.dropFirst(one.count)
    var im = other + padding.dropFirst(other.count)
    // Both share a transform: with z = a + jb, AB = (Z² − conj(Z(−k))²) / 4j.
    fft.forward(&re, &im)
    var productRe = padding
    var productIm = padding
    for bin in 0..<fft.length {
      let mirror = (fft.length - bin) % fft.length
      let z = Complex(re[bin], im[bin])
      let w = Complex(re[mirror], -im[mirror])
      let difference = z * z + (-1) * (w * w)
      (productRe[bin], productIm[bin]) = (difference.im / 4, -difference.re / 4)
    }
    fft.inverse(&productRe, &productIm)
    return productRe[..<count].map { $0 / Double(fft.length) }
  }
}
