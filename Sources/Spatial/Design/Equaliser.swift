// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The filter that makes one ear's responses diffuse-field flat, full at low frequencies and 0 dB
/// on average.
struct Equaliser: Sendable {
  /// The treatment of low frequencies, below about 200 Hz.
  enum Bass: Sendable {
    /// They stay as they were measured.
    case measured
    /// Every direction gets 0 dB and keeps its phase.
    case evened
    /// A pure delay at 0 dB replaces them.
    case extended
  }

  /// Filter over bins 0…n/2: minimum-phase inverse of the diffuse field, or a plain gain.
  let filter: Spectrum
  /// Whether ``filter`` is more than a gain.
  let flattens: Bool
  /// Treatment of low frequencies.
  let bass: Bass

  /// Sets whose diffuse field stays within this range (dB) are left as they are.
  private static let tolerance = 1.0
  /// Highest standard deviation of the bass over directions, in dB, that is left as it is.
  private static let bassTolerance = 0.5
  /// Above this a measurement is roll-off and noise; the correction stays what it is here.
  static let highestCorrected = 18000.0
  /// Limits of the correction, dB.
  private static let correction = -30.0...100.0
  /// Below this frequency in Hz a rolled-off measurement is noise. The equaliser continues the
  /// roll-off at 24 dB per octave there, as a closed loudspeaker behind a coupling capacitor falls;
  /// otherwise all responses would keep some 30° of phase lead at 300 Hz. ``keep(at:)`` replaces
  /// the magnitudes there later.
  private static let rollOffStart = 80.0

  /// The equaliser for this diffuse field, `loss` of which is given back; `bassSpread` is the standard
  /// deviation of the bass over directions in dB, and `fft` has twice as many points as the field has bins. Unless
  /// `isProcessed`, it is the gain alone.
  init(
    _ field: DiffuseField, _ loss: MirrorLoss, bassSpread: Double, _ fft: DoubleFFT,
    isProcessed: Bool
  ) {
    let mean = field.mean
    bass = isProcessed ? Equaliser.bass(field, spread: bassSpread) : .measured
    let flat = !isProcessed || field.range <= Equaliser.tolerance
    let givesBack = isProcessed && loss.counts
    flattens = !flat
    let nyquist = Double(field.levels.count - 1) * field.binWidth
    let ceiling = min(Equaliser.highestCorrected, 0.82 * nyquist)
    let floor = bass == .extended ? Equaliser.rollOffStart : 0
    let rollsOff = floor > 0 && field.level(at: floor) < mean - 6
    let top = min(field.levels.count - 1, Int(ceiling / field.binWidth))
    let decibels = field.levels.indices.map { bin -> Double in
      let lost = givesBack ? loss.levels[min(bin, top)] : 0
      if flat { return lost - mean }
      let frequency = Double(bin) * field.binWidth
      var level = field.level(at: min(ceiling, frequency)) - mean
      if rollsOff && frequency < floor {
        level = field.level(at: floor) - mean + 24 * log2(max(frequency, 10) / floor)
      }
      let limits = Equaliser.correction
      return min(limits.upperBound, max(limits.lowerBound, lost - level)) - mean
    }
    let logMagnitude = decibels.map { $0 * log(10) / 20 }
    filter = MinimumPhase.spectrum(logMagnitude: logMagnitude, fft)
  }

  private static func bass(_ field: DiffuseField, spread: Double) -> Bass {
    if (field.level(at: 50) - field.mean).magnitude > tolerance { return .extended }
    return spread > bassTolerance ? .evened : .measured
  }

  /// 0 where a response's bass is replaced, 1 where it is kept; raised cosine in octaves.
  static func keep(at frequency: Double) -> Double {
    let low = 100.0
    let high = 500.0
    if frequency <= low { return 0 }
    if frequency >= high { return 1 }
    return 0.5 - 0.5 * cos(.pi * log(frequency / low) / log(high / low))
  }
}

/// Diffuse-field response of one ear: power averaged over the sphere, in dB per bin.
struct DiffuseField: Sendable {
  /// Levels in dB of bins 0…n/2.
  let levels: [Double]
  /// Hz between bins.
  let binWidth: Double

  /// Level at `frequency` Hz, interpolated.
  func level(at frequency: Double) -> Double {
    let position = min(Double(levels.count - 1), max(0, frequency / binWidth))
    let low = min(levels.count - 2, Int(position))
    let part = position - Double(low)
    return levels[low] * (1 - part) + levels[low + 1] * part
  }

  /// Mean level over 200 Hz…10 kHz, every octave counting the same.
  var mean: Double {
    var sum = 0.0
    var weights = 0.0
    for bin in bins(200, 10000) {
      sum += levels[bin] / Double(bin)
      weights += 1 / Double(bin)
    }
    return weights > 0 ? sum / weights : level(at: 1000)
  }

  /// Highest minus lowest level over 100 Hz…16 kHz, in dB.
  var range: Double {
    let band = bins(100, 16000).map { levels[$0] }
    guard let low = band.min(), let high = band.max() else { return 0 }
    return high - low
  }

  private func bins(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    let top = Double(levels.count - 1) * 0.92
    let last = max(1, Int(min(high / binWidth, top)))
    return min(max(1, Int((low / binWidth).rounded(.up))), last)...last
  }

  /// The diffuse field of both ears (left, right) of a set, by transforms that hold its responses.
  static func average(
    _ set: HRTFMeasurements, _ grid: DirectionGrid, _ fft: DoubleFFT
  ) -> [DiffuseField] {
    let weights = earWeights(grid, measurements: set.directions.count)
    let silence = [Double](repeating: 0, count: fft.length - set.taps)
    var powers = [[Double](repeating: 0, count: fft.length / 2 + 1), []]
    powers[1] = powers[0]
    for measurement in set.directions.indices {
      // The left ear as real and the right one as imaginary part, so one transform gives both.
      var re = set.response(measurement, ear: 0) + silence
      var im = set.response(measurement, ear: 1) + silence
      fft.forward(&re, &im)
      let pair = weights[measurement]
      addPowers(re, im, left: pair[0], right: pair[1], to: &powers[0])
      if !grid.isSymmetric { addPowers(re, im, left: pair[2], right: pair[3], to: &powers[1]) }
    }
    if grid.isSymmetric { powers[1] = powers[0] }
    let width = Double(set.sampleRate) / Double(fft.length)
    return powers.map { power in
      DiffuseField(levels: power.map { 10 * log10(max($0, 1e-30)) }, binWidth: width)
    }
  }

  /// Weights of each measurement: its left and right response in the left ear's field, then both
  /// in the right ear's.
  private static func earWeights(
    _ grid: DirectionGrid, measurements: Int
  ) -> [SIMD4<Double>] {
    var weights = [SIMD4<Double>](repeating: .zero, count: measurements)
    for (point, area) in zip(grid.points, grid.areas()) {
      let share = area / Double(point.members.count)
      for member in point.members {
        let crossed = SIMD4<Double>(0, share, share, 0)
        let straight = SIMD4<Double>(share, 0, 0, share)
        weights[member.measurement] += member.swapped ? crossed : straight
      }
    }
    return weights
  }

  /// Adds the weighted powers of the two real signals packed as real and imaginary part.
  private static func addPowers(
    _ re: [Double], _ im: [Double], left: Double, right: Double, to power: inout [Double]
  ) {
    for bin in power.indices {
      let mirror = bin == 0 ? 0 : re.count - bin
      let (sumRe, difRe) = (re[bin] + re[mirror], re[bin] - re[mirror])
      let (sumIm, difIm) = (im[bin] + im[mirror], im[bin] - im[mirror])
      power[bin] +=
        0.25 * (left * (sumRe * sumRe + difIm * difIm) + right * (sumIm * sumIm + difRe * difRe))
    }
  }
}

/// The loss of a symmetric set's diffuse field by averaging left and right.
///
/// A place and its mirror image are averaged by their magnitudes in dB, as neighbouring places are. The
/// power of such an average is lower than the mean power, and more so in the treble, where both sides
/// differ by several dB.
struct MirrorLoss: Sendable {
  /// dB by bin, 0…n/2; not negative.
  let levels: [Double]
  /// Hz between bins.
  private let binWidth: Double

  /// Smaller losses in dB are left as they are.
  private static let tolerance = 0.3

  /// Whether it is large enough to be given back.
  var counts: Bool { highest > MirrorLoss.tolerance }

  /// The highest loss over 100 Hz…16 kHz, in dB.
  var highest: Double {
    let last = min(levels.count - 1, Int(16000 / binWidth))
    return levels[min(last, Int(100 / binWidth))...last].max() ?? 0
  }

  /// The loss in `field`, the diffuse field of `set`, by transforms that hold its responses.
  init(
    _ set: HRTFMeasurements, _ grid: DirectionGrid, _ field: DiffuseField, _ fft: DoubleFFT
  ) {
    binWidth = field.binWidth
    var lost = [Double](repeating: 0, count: field.levels.count)
    if grid.isSymmetric {
      for (point, area) in zip(grid.points, grid.areas()) where point.members.count > 1 {
        let powers = point.members.map { member in
          Spectrum(set.response(member.measurement, ear: member.swapped ? 1 : 0), fft).powers
        }
        let count = Double(powers.count)
        for bin in lost.indices {
          let sum = powers.reduce(0) { $0 + $1[bin] }
          let product = powers.reduce(1) { $0 * $1[bin] }
          let averaged = powers.count == 2 ? product.squareRoot() : pow(product, 1 / count)
          lost[bin] += area * (sum / count - averaged)
        }
      }
    }
    levels = zip(lost, field.levels).map { lost, level in
      -10 * log10(max(0.01, 1 - max(0, lost) / pow(10, level / 10)))
    }
  }
}

/// How much the level of the bass differs between the directions of a set.
///
/// A head is much smaller than the wavelength there, so in a free field it can't prefer a direction:
/// differences come from the room or the loudspeaker of the measurement.
enum BassSpread {
  /// Frequencies at which the level is taken, in Hz.
  private static let frequencies = [50.0, 70, 100]

  /// Standard deviation over the sphere of the level of both ears' power at 50…100 Hz, in dB.
  static func decibels(_ set: HRTFMeasurements, _ grid: DirectionGrid) -> Double {
    let tables = frequencies.map { PhaseTable(2 * .pi * $0 / Double(set.sampleRate), set.taps) }
    let levels = set.directions.indices.map { measurement in
      let power = tables.reduce(0) { sum, table in
        sum + table.power(set, measurement, ear: 0) + table.power(set, measurement, ear: 1)
      }
      return 10 * log10(max(1e-30, power))
    }
    var sum = SIMD3<Double>.zero
    for (point, area) in zip(grid.points, grid.areas()) {
      for member in point.members {
        let level = levels[member.measurement]
        sum += area / Double(point.members.count) * SIMD3(1, level, level * level)
      }
    }
    guard sum.x > 0 else { return 0 }
    let mean = sum.y / sum.x
    return max(0, sum.z / sum.x - mean * mean).squareRoot()
  }
}

/// Cosine and sine of one frequency at all taps.
private struct PhaseTable {
  private let cosines: [Double]
  private let sines: [Double]

  /// `step` radians from tap to tap.
  init(_ step: Double, _ taps: Int) {
    cosines = (0..<taps).map { cos(step * Double($0)) }
    sines = (0..<taps).map { sin(step * Double($0)) }
  }

  func power(_ set: HRTFMeasurements, _ measurement: Int, ear: Int) -> Double {
    let start = set.offset(measurement, ear: ear)
    var re = 0.0
    var im = 0.0
    for tap in cosines.indices {
      let value = Double(set.responses[start + tap])
      re += value * cosines[tap]
      im += value * sines[tap]
    }
    return re * re + im * im
  }
}
