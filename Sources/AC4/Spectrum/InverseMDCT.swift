/// The inverse transform of one length (TS 103 190-1, 5.5.2):
/// x(t) = 1/n · Σ X(k) · cos(π/n · (t + ½ + n/2) · (k + ½)), t = 0…2n−1.
final class InverseMDCT {
  /// Lines, and half the samples that come out.
  let length: Int
  private let fft: BatchFFT
  /// Twiddles before and after the FFT.
  private let cosines: FixedBuffer<Float>
  private let sines: FixedBuffer<Float>
  private let real: FixedBuffer<Float>
  private let imaginary: FixedBuffer<Float>
  /// The DCT-IV of the lines; the 2n samples are its mirror images.
  private let folded: FixedBuffer<Float>

  /// A transform of `length` lines, a multiple of 8.
  init(length: Int) {
    self.length = length
    let half = length / 2
    fft = BatchFFT(length: half)
    let angles = (0..<half).map { -(Double($0) + 0.125) / Double(length) }
    // The factor 1/n is split between the twiddles before and after the FFT.
    let scale = (1 / Double(length)).squareRoot()
    cosines = FixedBuffer(angles.map { Float(Maths.cosPi($0) * scale) }, or: 0)
    sines = FixedBuffer(angles.map { Float(Maths.sinPi($0) * scale) }, or: 0)
    real = FixedBuffer(0, count: half)
    imaginary = FixedBuffer(0, count: half)
    folded = FixedBuffer(0, count: length)
  }

  /// Writes the 2n samples of `lines`.
  func transform(_ lines: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>) {
    let half = length / 2
    let re = real.base
    let im = imaginary.base
    let c = cosines.base
    let s = sines.base
    for place in 0..<half {
      let even = lines[2 * place]
      let odd = lines[length - 1 - 2 * place]
      re[place] = even * c[place] - odd * s[place]
      im[place] = even * s[place] + odd * c[place]
    }
    fft.transform(re, im)
    let out = folded.base
    for place in 0..<half {
      out[2 * place] = re[place] * c[place] - im[place] * s[place]
      out[length - 1 - 2 * place] = -(re[place] * s[place] + im[place] * c[place])
    }
    for place in 0..<half {
      samples[place] = out[half + place]
      samples[length - 1 - place] = -out[half + place]
      samples[length + place] = -out[half - 1 - place]
      samples[2 * length - 1 - place] = -out[half - 1 - place]
    }
  }
}
