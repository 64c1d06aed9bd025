import Signal

/// The transforms and window slopes of one frame length (TS 103 190-1, 5.5.2 and 5.5.3).
final class TransformBank {
  /// By transform index.
  private let transforms: [InverseMDCT]
  private let slopes: [FixedBuffer<Float>]
  private let sizes: TransformSizes

  /// Transforms for all lengths of `sizes`.
  init(_ sizes: TransformSizes) {
    self.sizes = sizes
    transforms = (0..<sizes.count).map { InverseMDCT(length: sizes.length($0)) }
    slopes = (0..<sizes.count).map { TransformBank.slope(length: sizes.length($0)) }
  }

  /// The transform with this index.
  func transform(_ index: Int) -> InverseMDCT { transforms[index] }

  /// The rising slope of the transform with this index.
  func slope(_ index: Int) -> UnsafePointer<Float> { UnsafePointer(slopes[index].base) }

  /// The rising half of a Kaiser-Bessel-derived window; its square and that of its mirror image add up to 1
  /// (TS 103 190-1, 5.5.3).
  static func slope(length: Int) -> FixedBuffer<Float> {
    // The window's shape by the length of the transform.
    let alpha =
      length >= 1536 ? 3.0 : length >= 768 ? 4 : length >= 384 ? 4.5 : length >= 192 ? 5 : 6
    let kernel = (0...length).map { index in
      let place = 2 * Double(index) / Double(length) - 1
      return Kaiser.bessel(.pi * alpha * max(0, 1 - place * place).squareRoot())
    }
    let total = kernel.reduce(0, +)
    var sum = 0.0
    return FixedBuffer(
      kernel.dropLast().map { value in
        sum += value
        return Float((sum / total).squareRoot())
      }, or: 0)
  }
}
