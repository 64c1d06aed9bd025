/// Complex FFTs of one length, several at a time, for lengths 4·2ᵃ·3ᵇ·5ᶜ.
///
/// Real and imaginary parts are stored apart; value `k` of transform `i` stands at `k · batch + i`. The
/// passes are Stockham's, which sort their output themselves, so that every operation works on four
/// neighbouring values.
final class BatchFFT {
  /// A step that splits every transform into `radix` shorter ones.
  private struct Pass {
    let radix: Int
    /// Length of the transforms that the pass splits.
    let length: Int
    /// Distance of neighbouring values of one transform.
    let stride: Int
    /// Index of its first twiddle.
    let twiddles: Int
  }

  /// Points of each transform.
  let length: Int
  /// Transforms at a time: 1 or a multiple of 4.
  let batch: Int
  private var passes: [Pass] = []
  private let cosines: FixedBuffer<Float>
  private let sines: FixedBuffer<Float>
  private let scratchReal: FixedBuffer<Float>
  private let scratchImaginary: FixedBuffer<Float>

  /// FFTs of `length` points, `batch` at a time.
  init(length: Int, batch: Int = 1) {
    self.length = length
    self.batch = batch
    var rest = length
    var stride = batch
    var twiddles: [(Double, Double)] = []
    while rest > 1 {
      let radix = rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : rest % 3 == 0 ? 3 : 5
      passes.append(Pass(radix: radix, length: rest, stride: stride, twiddles: twiddles.count))
      for place in 0..<rest / radix {
        for power in 1..<radix {
          let turn = -2 * Double(place * power) / Double(rest)
          twiddles.append((Maths.cosPi(turn), Maths.sinPi(turn)))
        }
      }
      rest /= radix
      stride *= radix
    }
    cosines = FixedBuffer(twiddles.map { Float($0.0) }, or: 1)
    sines = FixedBuffer(twiddles.map { Float($0.1) }, or: 0)
    scratchReal = FixedBuffer(0, count: length * batch)
    scratchImaginary = FixedBuffer(0, count: length * batch)
  }

  /// Forward transforms (e^−jωn) in place; with the two parts exchanged, inverse ones (e^+jωn).
  func transform(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
    var from = (real, imaginary)
    var to = (scratchReal.base, scratchImaginary.base)
    for pass in passes {
      run(pass, from.0, from.1, to.0, to.1)
      swap(&from, &to)
    }
    if from.0 != real {
      real.update(from: from.0, count: length * batch)
      imaginary.update(from: from.1, count: length * batch)
    }
  }

  /// One pass from `x` to `y`.
  private func run(
    _ pass: Pass, _ xr: UnsafePointer<Float>, _ xi: UnsafePointer<Float>,
    _ yr: UnsafeMutablePointer<Float>, _ yi: UnsafeMutablePointer<Float>
  ) {
    let wr = cosines.base + pass.twiddles
    let wi = sines.base + pass.twiddles
    if pass.stride % 4 != 0 {
      // Only the first pass of a single transform has a stride of 1, and its radix is 4, because every
      // length has that factor.
      Butterflies.firstRadix4(pass.length, xr, xi, yr, yi, wr, wi)
      return
    }
    let places = pass.length / pass.radix
    switch pass.radix {
    case 4: Butterflies.radix4(places, pass.stride, xr, xi, yr, yi, wr, wi)
    case 2: Butterflies.radix2(places, pass.stride, xr, xi, yr, yi, wr, wi)
    case 3: Butterflies.radix3(places, pass.stride, xr, xi, yr, yi, wr, wi)
    default: Butterflies.radix5(places, pass.stride, xr, xi, yr, yi, wr, wi)
    }
  }
}
