import CSignal
import Platform

/// Complex FFTs of one length, several at a time, for lengths 4·2ᵃ·3ᵇ·5ᶜ.
///
/// Real and imaginary parts are stored apart; value `k` of transform `i` stands at `k · batch + i`. The
/// passes are Stockham's, which sort their output themselves, so that every operation works on
/// neighbouring values.
package final class BatchFFT {
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
  package let length: Int
  /// Transforms at a time: 1 or a multiple of 4.
  package let batch: Int
  private var passes: [Pass] = []
  private let cosines: FixedBuffer<Float>
  private let sines: FixedBuffer<Float>
  private let scratchReal: FixedBuffer<Float>
  private let scratchImaginary: FixedBuffer<Float>

  /// FFTs of `length` points, `batch` at a time.
  package init(length: Int, batch: Int = 1) {
    self.length = length
    self.batch = batch
    var rest = length
    var stride = batch
    var twiddles: [(Double, Double)] = []
    while rest > 1 {
      let radix = rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : rest % 3 == 0 ? 3 : 5
      passes.append(Pass(radix: radix, length: rest, stride: stride, twiddles: twiddles.count))
      twiddles += BatchFFT.twiddles(rest, radix, byPower: stride == 1)
      rest /= radix
      stride *= radix
    }
    cosines = FixedBuffer(twiddles.map { Float($0.0) }, or: 1)
    sines = FixedBuffer(twiddles.map { Float($0.1) }, or: 0)
    scratchReal = FixedBuffer(0, count: length * batch)
    scratchImaginary = FixedBuffer(0, count: length * batch)
  }

  /// Forward transforms (e^−jωn) in place; with the two parts exchanged, inverse ones (e^+jωn).
  package func transform(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
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

  /// The twiddles of a pass that splits transforms of `length` points: for each place one after the other
  /// those of all powers, or `byPower` for each power those of all places.
  private static func twiddles(
    _ length: Int, _ radix: Int, byPower: Bool
  ) -> [(Double, Double)] {
    let places = length / radix
    return (0..<places * (radix - 1)).map { index in
      let place = byPower ? index % places : index / (radix - 1)
      let power = 1 + (byPower ? index / places : index % (radix - 1))
      let turn = -2 * Double(place * power) / Double(length)
      return (cos(.pi * turn), sin(.pi * turn))
    }
  }

  /// One pass from `x` to `y`.
  private func run(
    _ pass: Pass, _ xr: UnsafePointer<Float>, _ xi: UnsafePointer<Float>,
    _ yr: UnsafeMutablePointer<Float>, _ yi: UnsafeMutablePointer<Float>
  ) {
    var parts = sg_pass(
      real: xr, imaginary: xi, out_real: yr, out_imaginary: yi,
      cosines: cosines.base + pass.twiddles, sines: sines.base + pass.twiddles)
    let places = pass.length / pass.radix
    if pass.stride == 1 {
      // The first pass of a single transform. Its radix is 4, because every length has that factor.
      sg_first_radix_4(&parts, places)
    } else {
      sg_radix(&parts, pass.radix, places, pass.stride)
    }
  }
}
