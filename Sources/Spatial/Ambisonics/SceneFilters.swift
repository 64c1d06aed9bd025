// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The filters from the planes of a scene to both ears.
///
/// They are fitted to the responses that ``HRIRDesigner`` gives, so that scenes have the time
/// reference and the level of beds: a wave from the front has its onset (mean of both ears) at tap
/// ``lead``.
struct SceneFilters: Sendable {
  /// Highest order of the scene.
  let order: Int
  /// Tap of the frontal onset.
  let lead: Int
  /// channel × tap, for SN3D planes in ACN order, to the left ear.
  private(set) var left: [[Double]]
  /// channel × tap, as ``left``, to the right ear.
  private(set) var right: [[Double]]
  /// Taps of every filter.
  var taps: Int { left[0].count }

  /// Filters for scenes of `order`, 0…7, at `rate` Hz.
  init(_ hrtf: HRTFSet, order: Int, rate: Int) {
    let designer = HRIRDesigner(hrtf, rate: rate)
    let fft = DoubleFFT(length: SceneFilters.transformLength(designer, rate: rate))
    let places = SceneFilters.places()
    let basis = SceneBasis(
      order: order, places: places,
      weights: places.map { _ in 1 / Double(places.count) })
    let bins = fft.length / 2 + 1
    let first = SceneFilters.limit(order: order) * Double(fft.length) / Double(rate)
    let isSymmetric = hrtf.grid.isSymmetric
    let fits = (0..<(isSymmetric ? 1 : 2)).map { _ in
      MagnitudeFit(basis, bins: bins, first: min(bins - 1, max(1, Int(first.rounded(.up)))))
    }
    for index in stride(from: 0, to: places.count, by: 2) {
      let pair = designer.pair(at: places[index])
      // The left ear hears of the mirrored place what the right ear hears of this one.
      let other =
        isSymmetric
        ? HRIRDesigner.Pair(left: pair.right, right: pair.left)
        : designer.pair(at: places[index + 1])
      for (place, pair) in [(index, pair), (index + 1, other)] {
        for (fit, taps) in zip(fits, [pair.left, pair.right]) {
          fit.add(SceneFilters.spectrum(taps, advancedBy: designer.lead, fft), at: place)
        }
      }
    }
    let ears = fits.map { SceneFilters.taps($0.spectra(), designer, rate: rate, fft) }
    self.order = order
    lead = designer.lead
    left = ears[0]
    right = ears.count > 1 ? ears[1] : SceneFilters.mirrored(ears[0])
  }

  /// Filters for planes of a scene that isn't turned, as a head that is turned by `rotation` hears it.
  func turned(by rotation: SceneRotation) -> SceneFilters {
    var turned = self
    turned.left = SceneFilters.turned(left, rotation)
    turned.right = SceneFilters.turned(right, rotation)
    return turned
  }

  /// The frequency in Hz from which only magnitudes are fitted.
  static func limit(order: Int) -> Double {
    switch order {
    case ...1: return 1000
    case 2, 3: return 2000
    case 4: return 2500
    default: return 3000
    }
  }

  /// Places at which the responses are fitted: 1200 even ones, each followed by its mirror image.
  private static func places() -> [SIMD3<Double>] {
    UnitVector.lattice(1200).filter { $0.y > 0 }.flatMap { [$0, $0 * SIMD3(1, -1, 1)] }
  }

  /// 2048 points at 48 kHz, in proportion at other rates.
  private static func transformLength(_ designer: HRIRDesigner, rate: Int) -> Int {
    max(2 * (designer.lead + designer.tail + 1), 2048 * rate / 48000)
  }

  /// The spectrum of `taps`, tap `lead` at time 0.
  private static func spectrum(
    _ taps: [Double], advancedBy lead: Int, _ fft: DoubleFFT
  ) -> Spectrum {
    var re = [Double](repeating: 0, count: fft.length)
    for (index, tap) in taps.enumerated() {
      re[(index - lead + fft.length) % fft.length] = tap
    }
    var im = [Double](repeating: 0, count: fft.length)
    fft.forward(&re, &im)
    return Spectrum(re: re, im: im, count: fft.length / 2 + 1)
  }

  /// The taps of filters for SN3D planes with these spectra for N3D planes, time 0 at tap
  /// `designer.lead`.
  private static func taps(
    _ spectra: [Spectrum], _ designer: HRIRDesigner, rate: Int, _ fft: DoubleFFT
  ) -> [[Double]] {
    let window = HRIRDesigner.window(rate: rate, count: designer.lead + designer.tail + 1)
    return spectra.enumerated().map { channel, spectrum in
      let order = SphericalHarmonics.orderAndDegree(of: channel).order
      let gain = SceneNormalization.n3d.factor(order: order, degree: 0)
      let signal = spectrum.signal(fft)
      return window.enumerated().map { index, weight in
        gain * weight * signal[(index - designer.lead + fft.length) % fft.length]
      }
    }
  }

  /// The other ear's filters of a symmetric head: harmonics of negative degree change their sign.
  private static func mirrored(_ filters: [[Double]]) -> [[Double]] {
    filters.enumerated().map { channel, taps in
      SphericalHarmonics.orderAndDegree(of: channel).degree < 0 ? taps.map { -$0 } : taps
    }
  }

  private static func turned(_ filters: [[Double]], _ rotation: SceneRotation) -> [[Double]] {
    filters.indices.map { column in
      var sum = [Double](repeating: 0, count: filters[column].count)
      let order = SphericalHarmonics.orderAndDegree(of: column).order
      for row in order * order..<(order + 1) * (order + 1) {
        let gain = rotation.coefficient(row: row, column: column)
        for (tap, value) in filters[row].enumerated() { sum[tap] += gain * value }
      }
      return sum
    }
  }
}

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

extension SceneFilters {
  private struct Key: Equatable {
    let set: String
    let order: Int
    let rate: Int
  }

  /// Of order 7 each takes about a megabyte.
  private static let shared = SharedDesigns<Key, SceneFilters>(capacity: 4)

  /// The filters for scenes of `order` at `rate`, designed once for each set: the queue's items, the outputs of a render and
  /// the jobs of a worker mostly ask for the same ones, and a design takes some tenths of a second.
  static func designed(for hrtf: HRTFSet, order: Int, rate: Int) -> SceneFilters {
    shared.design(for: Key(set: hrtf.contentDigest, order: order, rate: rate)) {
      SceneFilters(hrtf, order: order, rate: rate)
    }
  }
}

extension HRTFSet {
  /// SHA-256 of everything that responses follow from: measurements, their symmetry and the options.
  fileprivate var contentDigest: String {
    var digest = Digest(.sha256)
    for samples in [[Float(measurements.taps)], measurements.responses] {
      samples.withUnsafeBytes { digest.update($0) }
    }
    let numbers =
      [Double(measurements.sampleRate), delayScale, isHemisphere ? 1 : 0] + measurements.delays
      + measurements.directions.flatMap { [$0.azimuth, $0.elevation] }
    numbers.withUnsafeBytes { digest.update($0) }
    digest.update(Array("\(options)".utf8))
    return digest.hexadecimal
  }
}
