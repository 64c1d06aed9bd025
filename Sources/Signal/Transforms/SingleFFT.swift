// SPDX-License-Identifier: Apache-2.0
import CKernels
import Platform

/// A complex FFT in single precision, for lengths 4·2ᵃ·3ᵇ·5ᶜ.
///
/// Real and imaginary parts are stored apart. The passes are Stockham's, which sort their output themselves, so
/// that every operation works on neighbouring values.
package final class SingleFFT {
  /// Number of points.
  package let length: Int
  private let plan: SingleFFTPlan
  private let scratchReal: Buffer<Float>
  private let scratchImaginary: Buffer<Float>

  /// An FFT of `length` points.
  package init(length: Int) {
    self.length = length
    plan = SingleFFTPlan.shared(length: length)
    scratchReal = Buffer(0, count: length)
    scratchImaginary = Buffer(0, count: length)
  }

  /// A forward transform (e^−jωn) in place; with the two parts exchanged, an inverse one (e^+jωn).
  package func transform(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    var from = (real, imaginary)
    var to = (scratchReal.base, scratchImaginary.base)
    plan.withTwiddles { cosines, sines in
      for pass in plan.passes {
        let parts = sg_pass(
          real: from.0, imaginary: from.1, out_real: to.0, out_imaginary: to.1,
          cosines: cosines + pass.twiddles, sines: sines + pass.twiddles)
        SingleFFT.run(pass, parts)
        swap(&from, &to)
      }
    }
    if from.0 != real {
      real.update(from: from.0, count: length)
      imaginary.update(from: from.1, count: length)
    }
  }

  /// The twiddles of a pass that splits transforms of `length` points: for each place one after the other
  /// those of all powers, or `byPower` for each power those of all places.
  static func twiddles(
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

  private static func run(_ pass: SingleFFTPlan.Pass, _ parts: sg_pass) {
    var parts = parts
    let places = pass.length / pass.radix
    if pass.stride == 1 {
      // The radix of the first pass is 4, because every length has that factor.
      sg_first_radix_4(&parts, places)
    } else {
      sg_radix(&parts, pass.radix, places, pass.stride)
    }
  }
}

/// The passes of transforms of one length, with their twiddles.
private struct SingleFFTPlan: Sendable {
  /// A step that splits every transform into `radix` shorter ones.
  struct Pass {
    let radix: Int
    /// Length of the transforms that the pass splits.
    let length: Int
    /// Distance of neighbouring values of one transform.
    let stride: Int
    /// Index of its first twiddle.
    let twiddles: Int
  }

  let passes: [Pass]
  private let cosines: [Float]
  private let sines: [Float]

  /// The longest plan that is kept, 256 KiB. Longer ones are those of single searches.
  private static let longest = 1 << 15
  private static let kept = SharedDesigns<Int, SingleFFTPlan>(capacity: 8)

  /// The plan for `length` points.
  static func shared(length: Int) -> SingleFFTPlan {
    guard length <= longest else { return SingleFFTPlan(length: length) }
    return kept.design(for: length) { SingleFFTPlan(length: length) }
  }

  private init(length: Int) {
    var rest = length
    var stride = 1
    var passes: [Pass] = []
    var twiddles: [(Double, Double)] = []
    while rest > 1 {
      let radix = rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : rest % 3 == 0 ? 3 : 5
      passes.append(Pass(radix: radix, length: rest, stride: stride, twiddles: twiddles.count))
      twiddles += SingleFFT.twiddles(rest, radix, byPower: stride == 1)
      rest /= radix
      stride *= radix
    }
    self.passes = passes
    cosines = twiddles.map { Float($0.0) }
    sines = twiddles.map { Float($0.1) }
  }

  /// Calls `body` with the cosines and sines of all passes.
  func withTwiddles(_ body: (UnsafePointer<Float>, UnsafePointer<Float>) -> Void) {
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        // A transform of one point has no passes.
        guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
        body(cosines, sines)
      }
    }
  }
}

/// The inverse transform of one length (TS 103 190-1, 5.5.2):
/// x(t) = 1/n · Σ X(k) · cos(π/n · (t + ½ + n/2) · (k + ½)), t = 0…2n−1.
package final class InverseMDCT {
  /// Lines, and half the samples that come out.
  package let length: Int
  private let fft: SingleFFT
  /// Twiddles before and after the FFT.
  private let cosines: Buffer<Float>
  private let sines: Buffer<Float>
  private let real: Buffer<Float>
  private let imaginary: Buffer<Float>
  /// The DCT-IV of the lines; the 2n samples are its mirror images.
  private let folded: Buffer<Float>

  /// A transform of `length` lines, a multiple of 8.
  package init(length: Int) {
    self.length = length
    let half = length / 2
    fft = SingleFFT(length: half)
    let angles = (0..<half).map { -(Double($0) + 0.125) / Double(length) }
    // The factor 1/n is split between the twiddles before and after the FFT.
    let scale = (1 / Double(length)).squareRoot()
    cosines = Buffer(angles.map { Float(cos(.pi * $0) * scale) }, or: 0)
    sines = Buffer(angles.map { Float(sin(.pi * $0) * scale) }, or: 0)
    real = Buffer(0, count: half)
    imaginary = Buffer(0, count: half)
    folded = Buffer(0, count: length)
  }

  /// Writes the 2n samples of `lines`.
  package func transform(_ lines: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>) {
    sg_mdct_fold(lines, length, cosines.base, sines.base, real.base, imaginary.base)
    fft.transform(real.base, imaginary.base)
    sg_mdct_unfold(
      real.base, imaginary.base, length, cosines.base, sines.base, folded.base, samples)
  }
}
