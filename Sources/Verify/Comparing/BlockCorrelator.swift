import LibAV

/// Cross-correlation of a stretch of 131,072 samples with a longer one, in blocks: av_tx has fast
/// transforms up to 131,072 points only and is quadratic beyond.
struct BlockCorrelator {
  /// Samples of a block; the transforms have twice as many points, so that nothing wraps around.
  private static let block = 32_768
  private let lags: Int
  private let tiles: Int
  private let chunks: Int
  private let transform: ComplexFFT
  private let input: AlignedFloats
  private let product: AlignedFloats
  private let reference: [AlignedFloats]
  private let test: [AlignedFloats]

  /// A correlator for lags 0..<`lags`.
  init(lags: Int) throws {
    self.lags = lags
    let size = 2 * BlockCorrelator.block
    chunks = AlignmentExcerpt.length / BlockCorrelator.block
    tiles = (lags + BlockCorrelator.block - 1) / BlockCorrelator.block
    transform = try ComplexFFT(length: size)
    input = AlignedFloats(count: 2 * size)
    product = AlignedFloats(count: 2 * size)
    reference = (0..<chunks).map { _ in AlignedFloats(count: 2 * size) }
    test = (0..<chunks + tiles).map { _ in AlignedFloats(count: 2 * size) }
  }

  /// Loads the longer stretch, padded with silence.
  mutating func loadTest(_ plane: UnsafeMutableBufferPointer<Float>) {
    for (number, spectrum) in test.enumerated() {
      let start = number * BlockCorrelator.block
      load(plane, start, 2 * BlockCorrelator.block, into: spectrum)
    }
  }

  /// Σ `plane`[n] · test[n + lag] for every lag.
  mutating func correlate(_ plane: UnsafeMutableBufferPointer<Float>) -> [Float] {
    let (block, size) = (BlockCorrelator.block, 2 * BlockCorrelator.block)
    for (number, spectrum) in reference.enumerated() {
      load(plane, number * block, block, into: spectrum)
    }
    var sums = [Float](repeating: 0, count: lags)
    for tile in 0..<tiles {
      product.buffer.update(repeating: 0)
      for chunk in 0..<chunks { add(reference[chunk], test[chunk + tile]) }
      transform.inverse(product.base, into: input.base)
      let start = tile * block
      for index in 0..<min(block, lags - start) {
        sums[start + index] = input.base[2 * index] / Float(size)
      }
    }
    return sums
  }

  private func load(
    _ plane: UnsafeMutableBufferPointer<Float>, _ start: Int, _ count: Int,
    into spectrum: AlignedFloats
  ) {
    let target = input.buffer
    target.update(repeating: 0)
    for index in 0..<max(0, min(count, plane.count - start)) {
      target[2 * index] = plane[start + index]
    }
    transform.forward(input.base, into: spectrum.base)
  }

  /// Adds conj(`one`) × `other` to the product.
  private func add(_ one: AlignedFloats, _ other: AlignedFloats) {
    let (a, b, c) = (one.base, other.base, product.base)
    for index in stride(from: 0, to: 4 * BlockCorrelator.block, by: 2) {
      c[index] += a[index] * b[index] + a[index + 1] * b[index + 1]
      c[index + 1] += a[index] * b[index + 1] - a[index + 1] * b[index]
    }
  }
}
