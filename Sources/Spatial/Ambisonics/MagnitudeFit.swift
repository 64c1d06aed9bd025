import Platform

/// Fits one ear's responses by spherical harmonics: in amplitude and phase below a bin, in magnitude
/// from there on, where few channels can't follow the phase (C. Schörkhuber, M. Zaunschirm, R.
/// Höldrich: "Binaural Rendering of Ambisonic Signals via Magnitude Least Squares", DAGA 2018).
///
/// From bin to bin the phase goes on from what the fit of the bin below gives at each place.
final class MagnitudeFit {
  private let basis: SceneBasis
  private let bins: Int
  private let first: Int
  /// bin × channel, below ``first`` from ``add(_:at:)``.
  private var re: [Double]
  private var im: [Double]
  /// bin × place, from ``first`` on.
  private var magnitudes: [Float]

  /// A fit of responses of `bins` bins, in magnitude from bin `first` (1 ≤ `first` < `bins`) on.
  init(_ basis: SceneBasis, bins: Int, first: Int) {
    self.basis = basis
    self.bins = bins
    self.first = first
    re = [Double](repeating: 0, count: bins * basis.channels)
    im = re
    magnitudes = [Float](repeating: 0, count: (bins - first) * basis.places)
  }

  /// Takes the response at place number `place`; each place's is added once.
  func add(_ response: Spectrum, at place: Int) {
    let channels = basis.channels
    let projection = basis.projection[place * channels..<(place + 1) * channels]
    for bin in 0..<first {
      var index = bin * channels
      for share in projection {
        re[index] += share * response.re[bin]
        im[index] += share * response.im[bin]
        index += 1
      }
    }
    for bin in first..<bins {
      let power = response.re[bin] * response.re[bin] + response.im[bin] * response.im[bin]
      magnitudes[(bin - first) * basis.places + place] = Float(power.squareRoot())
    }
  }

  /// The spectrum of each channel, for N3D planes. Called once, after every place's response.
  func spectra() -> [Spectrum] {
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in
        magnitudes.withUnsafeBufferPointer { fit(re, im, $0) }
      }
    }
    return (0..<basis.channels).map { channel in
      var spectrum = Spectrum(count: bins)
      for bin in 0..<bins {
        spectrum.re[bin] = re[bin * basis.channels + channel]
        spectrum.im[bin] = im[bin * basis.channels + channel]
      }
      return spectrum
    }
  }

  private func fit(
    _ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>,
    _ magnitudes: UnsafeBufferPointer<Float>
  ) {
    let channels = basis.channels
    let part = [Double](repeating: 0, count: basis.places)
    var (real, imaginary) = (part, part)
    basis.harmonics.withUnsafeBufferPointer { harmonics in
      basis.projection.withUnsafeBufferPointer { projection in
        real.withUnsafeMutableBufferPointer { real in
          imaginary.withUnsafeMutableBufferPointer { imaginary in
            for bin in first..<bins {
              let before = (bin - 1) * channels
              expand(re, before, harmonics, to: real)
              expand(im, before, harmonics, to: imaginary)
              let start = (bin - first) * basis.places
              for place in 0..<basis.places {
                let (x, y) = (real[place], imaginary[place])
                let size = (x * x + y * y).squareRoot()
                let gain = Double(magnitudes[start + place]) / max(size, 1e-30)
                real[place] = x * gain
                imaginary[place] = y * gain
              }
              project(real, projection, to: re, bin * channels)
              project(imaginary, projection, to: im, bin * channels)
            }
          }
        }
      }
    }
  }

  /// The values that channels from number `start` of `parts` on have at the places.
  private func expand(
    _ parts: UnsafeMutableBufferPointer<Double>, _ start: Int,
    _ harmonics: UnsafeBufferPointer<Double>, to values: UnsafeMutableBufferPointer<Double>
  ) {
    values.update(repeating: 0)
    for channel in 0..<basis.channels {
      let gain = parts[start + channel]
      let row = channel * basis.places
      for place in 0..<basis.places { values[place] += gain * harmonics[row + place] }
    }
  }

  /// The channels, from number `start` of `parts` on, that fit `values` at the places.
  private func project(
    _ values: UnsafeMutableBufferPointer<Double>, _ projection: UnsafeBufferPointer<Double>,
    to parts: UnsafeMutableBufferPointer<Double>, _ start: Int
  ) {
    for place in 0..<basis.places {
      let value = values[place]
      let row = place * basis.channels
      for channel in 0..<basis.channels {
        parts[start + channel] += value * projection[row + channel]
      }
    }
  }
}
