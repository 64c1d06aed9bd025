// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The acoustics of a room, in figures.
///
/// Levels are those of the front left loudspeaker at both ears of a head that looks ahead, as energies; the late part counts with its
/// expected energy in a diffuse field, which its noise has within some tenths of a dB.
package struct RoomAcoustics: Sendable {
  /// Figures of an octave.
  package struct Octave: Sendable {
    /// Its middle in Hz.
    package let frequency: Double
    /// Seconds in which the tail would fall by 60 dB, by its way from −5 to −25 dB (T20 of ISO 3382-2); `nil` without
    /// a tail, and where it can't be told.
    package let decaySeconds: Double?
    /// Direct sound against all that follows, in dB.
    package let directToReverberantDB: Double
  }

  /// Seconds that the tail lasts after the direct sound, until it has fallen by 65 dB; `nil` without one.
  package let tailSeconds: Double?
  /// Figures of the octaves from 125 Hz to 8 kHz, as far as the rate goes.
  package let octaves: [Octave]
  /// Direct sound against all that follows in dB, mean of the octaves of 500 Hz and 1 kHz, which ISO 3382-1 takes for
  /// single figures.
  package let directToReverberantDB: Double

  /// Milliseconds after its loudest moment that count as direct sound in a measured room; before the floor is heard.
  private static let direct = 2.5

  /// The figures of the measured room `set`, for the loudspeaker that is nearest to the front left one.
  package init(_ set: ChannelSet) {
    let rate = set.sampleRate
    let pair = set.frontLeft
    let cut = min(pair.left.count, set.onset + Int(RoomAcoustics.direct * Double(rate) / 1000))
    let fft = DoubleFFT(length: max(64, 2 * pair.left.count))
    let direct = OctaveCut(pair, 0..<cut, fft, rate: rate)
    let rest = OctaveCut(pair, cut..<pair.left.count, fft, rate: rate)
    let middles = RoomAcoustics.middles.filter { $0 * 1.6 <= 0.45 * Double(rate) }
    octaves = middles.map { middle in
      let energies = rest.energies(around: middle)
      let whole = energies.reduce(0, +)
      let ratio = direct.energies(around: middle).reduce(0, +) / max(whole, 1e-30)
      let decay = DecayLine.seconds(Array(energies[cut..<pair.left.count]), step: 1 / Double(rate))
      return Octave(
        frequency: middle, decaySeconds: decay, directToReverberantDB: 10 * log10(max(ratio, 1e-12))
      )
    }
    tailSeconds = Double(pair.left.count - set.onset) / Double(rate)
    let ratios = octaves.filter { $0.frequency == 500 || $0.frequency == 1000 }
    directToReverberantDB =
      ratios.reduce(0) { $0 + $1.directToReverberantDB } / Double(max(1, ratios.count))
  }

  /// Middles of octaves in Hz.
  private static let middles = (0...6).map { 125 * pow(2, Double($0)) }

  /// The figures of `room` for the head of `hrtf` at `rate` Hz, 8000 at least.
  package init(_ room: RoomModel, hasTail: Bool, _ hrtf: HRTFSet, rate: Int) {
    let designer = HRIRDesigner(hrtf, rate: rate)
    let energy = hasTail ? LateEnergy(room.shoebox, rate: rate) : nil
    let direct = designer.pair(for: Direction(azimuth: 30))
    let filters = RoomFilters(room.shoebox, designer, rate: rate, pose: .ahead)
    let silence = direct.left.map { _ in 0.0 }
    let early = filters.adding(
      to: .init(left: silence, right: silence), Direction(azimuth: 30))
    let head = energy.map { _ in
      let places = UnitVector.lattice(64)
      return OctavePowers(places.map { designer.pair(at: $0) }, rate: rate)
    }
    let (directPowers, earlyPowers) = (
      OctavePowers([direct], rate: rate), OctavePowers([early], rate: rate)
    )
    let middles = RoomAcoustics.middles.filter { $0 * 1.6 <= 0.45 * Double(rate) }
    octaves = middles.map { middle in
      var reverberant = earlyPowers.power(around: middle) { _ in 1 }
      if let energy, let head {
        reverberant += head.power(around: middle) { energy.whole(at: $0) }
      }
      let ratio = directPowers.power(around: middle) { _ in 1 } / reverberant
      return Octave(
        frequency: middle, decaySeconds: energy?.decay(around: middle),
        directToReverberantDB: 10 * log10(ratio))
    }
    tailSeconds = energy.map { Double($0.steps) * LateEnergy.step }
    let ratios = octaves.filter { $0.frequency == 500 || $0.frequency == 1000 }
    directToReverberantDB =
      ratios.reduce(0) { $0 + $1.directToReverberantDB } / Double(max(1, ratios.count))
  }
}

/// An octave by a filter of half its power at the edges and flanks of half an octave. Steeper ones would ring longer than
/// rooms do.
enum OctaveBand {
  /// Part of the power at `frequency` Hz that passes, 0…1.
  static func power(_ frequency: Double, around middle: Double) -> Double {
    guard frequency > 0 else { return 0 }
    let inside = 0.5 - log2(frequency / middle).magnitude
    let part = min(1, max(0, 0.5 + 2 * inside))
    return sin(.pi / 2 * part) * sin(.pi / 2 * part)
  }
}

/// A part of two ears' responses, to be cut into octaves: the left one is the real, the right one the imaginary part.
private struct OctaveCut {
  private var re: [Double]
  private var im: [Double]
  private let fft: DoubleFFT
  private let width: Double

  init(_ pair: ChannelSet.Pair, _ part: Range<Int>, _ fft: DoubleFFT, rate: Int) {
    self.fft = fft
    width = Double(rate) / Double(fft.length)
    re = [Double](repeating: 0, count: fft.length)
    im = re
    for index in part {
      re[index] = Double(pair.left[index])
      im[index] = Double(pair.right[index])
    }
    fft.forward(&re, &im)
  }

  /// Energy of each sample in the octave around `middle` Hz, both ears together; behind the response's end comes what the filter
  /// rings before its beginning.
  func energies(around middle: Double) -> [Double] {
    var (left, right) = (re, im)
    for bin in left.indices {
      let frequency = Double(min(bin, fft.length - bin)) * width
      let gain = OctaveBand.power(frequency, around: middle).squareRoot() / Double(fft.length)
      left[bin] *= gain
      right[bin] *= gain
    }
    fft.inverse(&left, &right)
    return zip(left, right).map { $0 * $0 + $1 * $1 }
  }
}

/// Power of responses over frequency, both ears together, mean of several directions.
private struct OctavePowers {
  private let powers: [Double]
  private let width: Double

  init(_ pairs: [HRIRDesigner.Pair], rate: Int) {
    let longest = pairs.reduce(2) { max($0, $1.left.count, $1.right.count) }
    let fft = DoubleFFT(length: max(longest, rate / 12))
    var sums = [Double](repeating: 0, count: fft.length / 2 + 1)
    for pair in pairs {
      for ear in [pair.left, pair.right] {
        let spectrum = Spectrum(ear, fft)
        for bin in sums.indices {
          sums[bin] +=
            (spectrum.re[bin] * spectrum.re[bin] + spectrum.im[bin] * spectrum.im[bin])
            / Double(pairs.count)
        }
      }
    }
    powers = sums
    width = Double(rate) / Double(fft.length)
  }

  /// Sum over the octave around `middle`, each frequency in Hz counting by its `weight`, in units of Hz.
  func power(around middle: Double, weight: (Double) -> Double) -> Double {
    powers.indices.reduce(0) { sum, bin in
      let frequency = Double(bin) * width
      let part = OctaveBand.power(frequency, around: middle)
      return part > 0 ? sum + part * powers[bin] * weight(frequency) : sum
    } * width
  }
}

extension LateEnergy {
  /// Seconds for 60 dB in the octave around `middle` Hz; see ``DecayLine``.
  func decay(around middle: Double) -> Double {
    let parts = (0..<32).map { middle * (0.5 + (Double($0) + 0.5) / 24) }
    let weights = parts.map { OctaveBand.power($0, around: middle) }
    let energies = (0..<steps).map { step in
      let time = (Double(step) + 0.5) * LateEnergy.step
      return zip(parts, weights).reduce(0) { $0 + $1.1 * density(at: time, $1.0) }
    }
    return DecayLine.seconds(energies, step: LateEnergy.step) ?? 0
  }
}

/// The line of least squares through the level of what is still to come, from −5 to −25 dB (ISO 3382-2).
enum DecayLine {
  /// Seconds in which it falls by 60 dB, of `energies` that are `step` seconds apart; `nil` where it doesn't fall.
  static func seconds(_ energies: [Double], step length: Double) -> Double? {
    var rest = energies.reduce(0, +)
    let whole = max(rest, 1e-30)
    var points: [(time: Double, level: Double)] = []
    for (step, energy) in energies.enumerated() {
      let level = 10 * log10(max(rest, 1e-30) / whole)
      if (-25 ... -5).contains(level) { points.append((Double(step) * length, level)) }
      rest -= energy
    }
    guard points.count > 1 else { return nil }
    let count = Double(points.count)
    let (time, level) = (
      points.reduce(0) { $0 + $1.time } / count, points.reduce(0) { $0 + $1.level } / count
    )
    let (sum, square) = points.reduce((0.0, 0.0)) {
      (
        $0.0 + ($1.time - time) * ($1.level - level),
        $0.1 + ($1.time - time) * ($1.time - time)
      )
    }
    return sum < 0 ? -60 * square / sum : nil
  }
}
