// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Gives ``LateNoise`` the energy over time and frequency that a room has: short overlapping pieces, each through a
/// zero-phase filter, the same for both ears.
///
/// Excess and lack of the noise itself, over some six periods and two thirds of an octave, are evened out first:
/// otherwise levels and decays of octaves would depend on chance.
struct LateShaper {
  private let energy: LateEnergy
  private let noise: LateNoise
  private let rate: Int
  /// Samples of a piece, a power of two of 11…22 ms, and from one piece to the next.
  private let piece: Int
  private var hop: Int { piece / 4 }
  private let fft: DoubleFFT
  private let window: [Double]
  private let bands: LateBands
  /// Energy of a piece in each band, both ears together, that the noise has on average.
  private let expected: [Double]

  /// Standard deviation of the weights over which levels are evened out: in periods, and as seconds at least and at most.
  /// Shorter ones would take the noise's own roughness away.
  private static let evenness = (periods: 2.5, seconds: 0.005...0.02)
  /// Most by which they are, as powers.
  private static let limits = 0.2...5.0

  /// A shaper of `noise` for the `energy` of a room at `rate` Hz.
  init(_ energy: LateEnergy, _ noise: LateNoise, rate: Int) {
    self.energy = energy
    self.noise = noise
    self.rate = rate
    var piece = 64
    while 2 * piece <= rate / 45 { piece *= 2 }
    self.piece = piece
    let fft = DoubleFFT(length: 2 * piece)
    self.fft = fft
    window = (0..<piece).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(piece)) }
    bands = LateBands(energy.frequencies, bins: piece + 1, width: Double(rate) / Double(2 * piece))
    let scale = LateNoise.pulses / Double(rate) * window.reduce(0) { $0 + $1 * $1 }
    let powers = noise.powers { LateShaper.powers($0, fft) }
    expected = bands.means(powers.map { $0 * scale })
  }

  /// Taps of ``responses(seed:)``.
  var taps: Int { noise.lead + Int(Double(energy.steps) * LateEnergy.step * Double(rate)) + piece }

  /// The response of the room's late part for both ears; the direct sound would have its frontal onset at the designer's lead.
  func responses(seed: UInt32) -> HRIRDesigner.Pair {
    let count = taps
    // The noise begins and ends a piece outside.
    let noise = noise.samples(count + 4 * piece, seed: seed)
    let frames = count / hop + 1
    let spectra = (0..<frames).map { spectrum(noise, around: 2 * piece + $0 * hop) }
    let corrections = corrections(spectra.map { bands.means(LateShaper.powers($0.re, $0.im)) })
    var left = [Double](repeating: 0, count: count)
    var right = left
    for (frame, spectrum) in spectra.enumerated() {
      let shaped = shaped(spectrum, corrections[frame], time: time(frame))
      let first = frame * hop - piece
      for index in max(0, -first)..<max(0, min(2 * piece, count - first)) {
        left[first + index] += shaped.re[index]
        right[first + index] += shaped.im[index]
      }
    }
    return HRIRDesigner.Pair(left: left, right: right)
  }

  /// Seconds from the direct sound to the middle of a piece.
  private func time(_ frame: Int) -> Double { Double(frame * hop - noise.lead) / Double(rate) }

  /// Spectrum of the piece around a sample: the left ear is the real, the right ear the imaginary part of its signal.
  private func spectrum(
    _ noise: HRIRDesigner.Pair, around middle: Int
  ) -> (re: [Double], im: [Double]) {
    var re = [Double](repeating: 0, count: fft.length)
    var im = re
    for index in 0..<piece {
      re[piece / 2 + index] = noise.left[middle - piece / 2 + index] * window[index]
      im[piece / 2 + index] = noise.right[middle - piece / 2 + index] * window[index]
    }
    fft.forward(&re, &im)
    return (re, im)
  }

  /// The piece, filtered to the energy at `time`.
  private func shaped(
    _ spectrum: (re: [Double], im: [Double]), _ corrections: [Double], time: Double
  ) -> (re: [Double], im: [Double]) {
    let gains = bands.frequencies.indices.map { band in
      energy.density(at: time, bands.frequencies[band]) / LateNoise.pulses * corrections[band]
    }
    // Windows overlap to twice their height.
    let scale = 0.5 / Double(fft.length)
    var (re, im) = spectrum
    for (bin, power) in bands.interpolated(gains).enumerated() {
      let gain = power.squareRoot() * scale
      re[bin] *= gain
      im[bin] *= gain
      guard bin > 0, bin < piece else { continue }
      re[fft.length - bin] *= gain
      im[fft.length - bin] *= gain
    }
    fft.inverse(&re, &im)
    return (re, im)
  }

  /// Power gains, piece × band, that even the noise out.
  private func corrections(_ levels: [[Double]]) -> [[Double]] {
    var corrections = levels
    for (band, frequency) in bands.frequencies.enumerated() {
      let (periods, seconds) = LateShaper.evenness
      let length = min(seconds.upperBound, max(seconds.lowerBound, periods / frequency))
      let deviation = length * Double(rate) / Double(hop)
      let reach = Int(2.5 * deviation)
      let weights = (0...reach).map { exp(-0.5 * pow(Double($0) / deviation, 2)) }
      for frame in levels.indices {
        let near = max(0, frame - reach)...min(levels.count - 1, frame + reach)
        let total = near.reduce(0) { $0 + weights[abs($1 - frame)] }
        let mean = near.reduce(0) { $0 + weights[abs($1 - frame)] * levels[$1][band] } / total
        let wanted = expected[band] / max(mean, 1e-30)
        corrections[frame][band] = min(
          LateShaper.limits.upperBound, max(LateShaper.limits.lowerBound, wanted))
      }
    }
    return balanced(corrections, levels)
  }

  /// `corrections` times what brings the energy of the whole response in each band to what the room asks for: dividing by
  /// levels of chance leaves too much on average.
  private func balanced(_ corrections: [[Double]], _ levels: [[Double]]) -> [[Double]] {
    var corrections = corrections
    for (band, frequency) in bands.frequencies.enumerated() {
      var (wanted, found) = (0.0, 0.0)
      for frame in levels.indices {
        let density = energy.density(at: time(frame), frequency)
        wanted += density * expected[band]
        found += density * corrections[frame][band] * levels[frame][band]
      }
      guard found > 0 else { continue }
      for frame in levels.indices { corrections[frame][band] *= wanted / found }
    }
    return corrections
  }

  /// Power of both ears in bins 0…n/2 of a packed spectrum.
  private static func powers(_ re: [Double], _ im: [Double]) -> [Double] {
    (0...re.count / 2).map { bin in
      let mirror = (re.count - bin) % re.count
      return 0.5
        * (re[bin] * re[bin] + im[bin] * im[bin] + re[mirror] * re[mirror]
          + im[mirror] * im[mirror])
    }
  }

  private static func powers(_ pair: HRIRDesigner.Pair, _ fft: DoubleFFT) -> [Double] {
    var re = pair.left + [Double](repeating: 0, count: fft.length - pair.left.count)
    var im = pair.right + [Double](repeating: 0, count: fft.length - pair.right.count)
    fft.forward(&re, &im)
    return powers(re, im)
  }
}

/// Bands of two thirds of an octave around given frequencies, in terms of a transform's bins.
struct LateBands {
  /// Their middles in Hz, rising.
  let frequencies: [Double]
  private let ranges: [ClosedRange<Int>]
  /// For each bin the band below and the part of the way to the next one.
  private let places: [(band: Int, part: Double)]

  /// Bands around `frequencies`, two at least, for `bins` bins that are `width` Hz apart.
  init(_ frequencies: [Double], bins: Int, width: Double) {
    self.frequencies = frequencies
    ranges = frequencies.map { frequency in
      let low = Int((frequency * pow(2, -1.0 / 3) / width).rounded())
      let high = Int((frequency * pow(2, 1.0 / 3) / width).rounded())
      return min(low, bins - 1)...min(max(high, low + 1), bins - 1)
    }
    places = (0..<bins).map { bin in
      let frequency = Double(bin) * width
      let above = frequencies.firstIndex { $0 >= frequency } ?? frequencies.count - 1
      guard above > 0 else { return (0, 0) }
      let (low, high) = (frequencies[above - 1], frequencies[above])
      return (above - 1, min(1, log(frequency / low) / log(high / low)))
    }
  }

  /// Mean of `values` of bins over each band.
  func means(_ values: [Double]) -> [Double] {
    ranges.map { range in range.reduce(0) { $0 + values[$1] } / Double(range.count) }
  }

  /// Positive `values` of the bands for each bin, interpolated in their logarithms.
  func interpolated(_ values: [Double]) -> [Double] {
    let logs = values.map { log(max($0, 1e-30)) }
    return places.map { band, part in
      exp(logs[band] * (1 - part) + logs[min(band + 1, logs.count - 1)] * part)
    }
  }
}

/// Reverberation that neither decays nor has a colour, as a head hears it: single pulses at random times, each from a
/// random direction through the responses of that direction (velvet noise; H. Järveläinen, M. Karjalainen:
/// "Reverberation Modeling Using Velvet Noise", AES 30th Conference, 2007).
///
/// So the ears' levels, and how alike they are at each frequency, are those of the head in a diffuse field.
final class LateNoise {
  /// Pulses per second: 1,500 sound smooth, more make the levels of narrow bands even.
  static let pulses = 6000.0
  /// Taps of the responses before their frontal onset.
  let lead: Int

  private let rate: Int
  private let pairs: [HRIRDesigner.Pair]

  /// Directions from which pulses come.
  private static let directions = UnitVector.lattice(64)

  /// Noise at `rate` Hz for the head of `designer`.
  init(_ designer: HRIRDesigner, rate: Int) {
    lead = designer.lead
    self.rate = rate
    pairs = LateNoise.directions.map { designer.pair(at: $0) }
  }

  /// `count` samples for both ears, the same for the same `seed`. Samples in the first and the last 7 ms are
  /// incomplete.
  func samples(_ count: Int, seed: UInt32) -> HRIRDesigner.Pair {
    var generator = MersenneTwister(seed: seed)
    let taps = pairs.first?.left.count ?? 0
    var left = [Double](repeating: 0, count: count)
    var right = left
    let spacing = Double(rate) / LateNoise.pulses
    var order = Array(pairs.indices)
    for pulse in 0..<Int(Double(count - taps) / spacing) {
      let part = Double(generator.next()) / 4_294_967_296
      let start = Int((Double(pulse) + part) * spacing)
      let bits = generator.next()
      let sign = bits & 1 == 0 ? 1.0 : -1.0
      // All directions take their turns, in an order that changes each time.
      let place = pulse % order.count
      order.swapAt(place, place + Int(bits >> 1) % (order.count - place))
      let pair = pairs[order[place]]
      LateNoise.add(pair.left, sign, to: &left, at: start)
      LateNoise.add(pair.right, sign, to: &right, at: start)
    }
    return HRIRDesigner.Pair(left: left, right: right)
  }

  /// Power of both ears' responses together, mean over all directions, in bins 0…n/2 of transforms of `length` points.
  func powers(_ spectra: (HRIRDesigner.Pair) -> [Double]) -> [Double] {
    var sums: [Double] = []
    for pair in pairs {
      let powers = spectra(pair)
      if sums.isEmpty { sums = [Double](repeating: 0, count: powers.count) }
      for bin in powers.indices { sums[bin] += powers[bin] / Double(pairs.count) }
    }
    return sums
  }

  private static func add(
    _ taps: [Double], _ sign: Double, to signal: inout [Double], at start: Int
  ) {
    signal.withUnsafeMutableBufferPointer { signal in
      for index in taps.indices { signal[start + index] += sign * taps[index] }
    }
  }
}
