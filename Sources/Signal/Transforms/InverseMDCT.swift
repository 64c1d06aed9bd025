import CSignal
import Platform

/// The inverse transform of one length (TS 103 190-1, 5.5.2):
/// x(t) = 1/n · Σ X(k) · cos(π/n · (t + ½ + n/2) · (k + ½)), t = 0…2n−1.
package final class InverseMDCT {
  /// Lines, and half the samples that come out.
  package let length: Int
  private let fft: SingleFFT
  /// Twiddles before and after the FFT.
  private let cosines: FixedBuffer<Float>
  private let sines: FixedBuffer<Float>
  private let real: FixedBuffer<Float>
  private let imaginary: FixedBuffer<Float>
  /// The DCT-IV of the lines; the 2n samples are its mirror images.
  private let folded: FixedBuffer<Float>

  /// A transform of `length` lines, a multiple of 8.
  package init(length: Int) {
    self.length = length
    let half = length / 2
    fft = SingleFFT(length: half)
    let angles = (0..<half).map { -(Double($0) + 0.125) / Double(length) }
    // The factor 1/n is split between the twiddles before and after the FFT.
    let scale = (1 / Double(length)).squareRoot()
    cosines = FixedBuffer(angles.map { Float(cos(.pi * $0) * scale) }, or: 0)
    sines = FixedBuffer(angles.map { Float(sin(.pi * $0) * scale) }, or: 0)
    real = FixedBuffer(0, count: half)
    imaginary = FixedBuffer(0, count: half)
    folded = FixedBuffer(0, count: length)
  }

  /// Writes the 2n samples of `lines`.
  package func transform(_ lines: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>) {
    sg_mdct_fold(lines, length, cosines.base, sines.base, real.base, imaginary.base)
    fft.transform(real.base, imaginary.base)
    sg_mdct_unfold(
      real.base, imaginary.base, length, cosines.base, sines.base, folded.base, samples)
  }
}
