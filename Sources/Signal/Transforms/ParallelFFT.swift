// SPDX-License-Identifier: Apache-2.0
import CKernels

/// Eight complex FFTs in single precision side by side, one in each lane of a vector.
///
/// No lane knows of the others, so a transform has the same bits in each, on every processor; the twiddles are made by
/// ``Turn``. Stockham's passes of radix 4, and a last one of radix 2 where the length demands it.
package final class ParallelFFT {
  /// Number of transforms.
  package static let lanes = 8
  /// Points of each, a power of two.
  package let length: Int

  private struct Pass {
    let radix: Int
    /// Length of the transforms that the pass splits.
    let length: Int
    /// Place of its first twiddle.
    let twiddles: Int
  }

  private let passes: [Pass]
  private let cosines: Buffer<Float>
  private let sines: Buffer<Float>
  private let scratchReal: Buffer<Float>
  private let scratchImaginary: Buffer<Float>

  /// FFTs of `length` points, a power of two.
  package init(length: Int) {
    self.length = length
    var passes: [Pass] = []
    var twiddles: [(cosine: Double, sine: Double)] = []
    var rest = length
    while rest > 1 {
      let radix = rest % 4 == 0 ? 4 : 2
      passes.append(Pass(radix: radix, length: rest, twiddles: twiddles.count))
      for place in 0..<rest / radix {
        for power in 1..<radix { twiddles.append(Turn.point(-place * power, of: rest)) }
      }
      rest /= radix
    }
    self.passes = passes
    cosines = Buffer(twiddles.map { Float($0.cosine) }, or: 0)
    sines = Buffer(twiddles.map { Float($0.sine) }, or: 0)
    scratchReal = Buffer(aligned: length * ParallelFFT.lanes)
    scratchImaginary = Buffer(aligned: length * ParallelFFT.lanes)
  }

  /// Forward transforms (e^−jωn) in place; with the two parts exchanged, inverse ones (e^+jωn). Point `p` of lane `l` is at
  /// 8 · p + l. Neither direction scales.
  package func transform(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    var from = (real, imaginary)
    var to = (scratchReal.base, scratchImaginary.base)
    var stride = ParallelFFT.lanes
    for pass in passes {
      var parts = sg_pass(
        real: from.0, imaginary: from.1, out_real: to.0, out_imaginary: to.1,
        cosines: cosines.base + pass.twiddles, sines: sines.base + pass.twiddles)
      sg_radix(&parts, pass.radix, pass.length / pass.radix, stride)
      stride *= pass.radix
      swap(&from, &to)
    }
    if from.0 != real {
      real.update(from: from.0, count: length * ParallelFFT.lanes)
      imaginary.update(from: from.1, count: length * ParallelFFT.lanes)
    }
  }
}
