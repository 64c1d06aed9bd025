import Platform
import Signal

/// A gain that moves during a subblock, sample by sample. It moves evenly in decibels, not in amplitude.
struct GainCurve {
  private let animation: ParameterBlock.Animation
  /// Samples of the subblock.
  private let length: Int

  /// The curve of a subblock of `length` samples.
  init(_ animation: ParameterBlock.Animation, length: Int) {
    self.animation = animation
    self.length = length
  }

  /// The gain in dB at sample `index`; that of sample `length` is the first behind the subblock.
  func level(_ index: Int) -> Double {
    switch animation {
    case .step(let level):
      return level
    case .linear(let start, let end):
      return GainCurve.between(start, end, Double(index) / Double(length))
    case .bezier(let start, let end, let control, let time):
      guard time > 0 else { return GainCurve.between(start, end, Double(index) / Double(length)) }
      let place = bezierPlace(index, time)
      let rest = 1 - place
      return rest * rest * start + 2 * rest * place * control + place * place * end
    }
  }

  /// Whether it stays.
  var isConstant: Bool {
    if case .step = animation { return true }
    return false
  }

  /// Writes the amplitudes of the samples from `first` on.
  func write(from first: Int, to line: UnsafeMutableBufferPointer<Float>) {
    if isConstant {
      line.update(repeating: Float(Decibels.amplitude(level(first))))
    } else {
      for index in line.indices { line[index] = Float(Decibels.amplitude(level(first + index))) }
    }
  }

  private static func between(_ start: Double, _ end: Double, _ place: Double) -> Double {
    (1 - place) * start + place * end
  }

  /// The place on the Bézier curve, 0…1, where its time is that of sample `index`: a root of
  /// (length − 2·control)·a² + 2·control·a − index.
  private func bezierPlace(_ index: Int, _ time: Int) -> Double {
    let control = (2 * length * time + 256) / 512
    let (square, linear) = (Double(length - 2 * control), Double(2 * control))
    if square == 0 { return Double(index) / linear }
    let root = (linear * linear + 4 * square * Double(index)).squareRoot()
    return (root - linear) / (2 * square)
  }
}
