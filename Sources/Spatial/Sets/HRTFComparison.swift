// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Works out ``HRTFDifference`` from the impulse responses that a renderer would play at 48 kHz.
struct HRTFComparison {
  /// One place as one set plays it.
  private struct Heard {
    /// Samples by which the right ear follows the left.
    var delay: Double
    /// ear × band, in dB.
    var levels: [[Double]]
  }

  /// The differences at one place.
  private struct Gap {
    var direction: Direction
    var delay: Double
    var interaural: [Double]
    var spectrum: [Double]
    var level: Double
  }

  private static let rate = 48000
  /// Elevation in degrees below which sets describe the body, the chair and the floor.
  private static let lowest = -40.0
  /// Furthest that the other set's nearest place may be, in radians.
  private static let reach = 0.2
  /// Interaural delays are those of the band below this (Katz & Noisternig, JASA 135, 2014).
  private static let delayBand = 3000.0

  private let first: HRTFSet
  private let second: HRTFSet
  private let fft = DoubleFFT(length: 2048)

  /// A comparison of `second` with `first`.
  init(_ first: HRTFSet, _ second: HRTFSet) {
    self.first = first
    self.second = second
  }

  /// All figures.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when the sets share no place.
  func difference() throws -> HRTFDifference {
    let places = self.places
    let designers = [first, second].map { HRIRDesigner($0, rate: HRTFComparison.rate) }
    let gaps = places.map { place -> Gap in
      let pairs = designers.map { heard($0.pair(for: place)) }
      return gap(at: place, pairs[0], pairs[1])
    }
    guard let spectral = gaps.max(by: { mean($0.spectrum) < mean($1.spectrum) }),
      let temporal = gaps.max(by: { $0.delay < $1.delay })
    else {
      throw MediaError(
        .unsupportedFeature,
        "\(first.id) and \(second.id) can't be compared: they share no direction above −40°")
    }
    let delays = gaps.map(\.delay)
    return HRTFDifference(
      places: gaps.count, lowestElevation: places.map(\.elevation).min() ?? 0,
      highestFrequency: bands.last ?? 0,
      delayMicroseconds: .init(typical: rank(delays, 0.5), high: rank(delays, 0.95)),
      interauralLevelDB: spread(gaps.flatMap(\.interaural)),
      spectrumDB: spread(gaps.flatMap(\.spectrum)), levelDB: mean(gaps.map(\.level)),
      largestSpectrum: place(spectral), largestDelay: place(temporal))
  }

  /// The first set's places that both sets describe.
  private var places: [Direction] {
    let isSymmetric = first.grid.isSymmetric && second.grid.isSymmetric
    let closest = cos(HRTFComparison.reach)
    return first.grid.points.map(\.position).compactMap { place in
      guard !isSymmetric || place.y >= 0,
        let near = second.grid.nearest(1, to: place).first,
        UnitVector.dot(second.grid.points[near].position, place) >= closest
      else { return nil }
      let direction = UnitVector.direction(of: place)
      return direction.elevation >= HRTFComparison.lowest - 0.01 ? direction : nil
    }
  }

  /// Middle frequencies in Hz of bands a third of an octave wide, six per octave, from 250 Hz as
  /// far as both rates go.
  private var bands: [Double] {
    let highest = 0.43 * Double(min(first.sourceRate, second.sourceRate, HRTFComparison.rate))
    return (0...36).map { 250 * pow(2, Double($0) / 6) }.filter { $0 <= highest }
  }

  private func heard(_ pair: HRIRDesigner.Pair) -> Heard {
    let width = Double(HRTFComparison.rate) / Double(fft.length)
    var ears = [pair.left, pair.right].map { Spectrum($0, fft) }
    let levels = ears.map { ear in bands.map { ear.level(around: $0, width) } }
    for ear in 0..<2 {
      for bin in ears[ear].re.indices {
        // The magnitude of a fourth-order Butterworth low-pass.
        let octaves = Double(bin) * width / HRTFComparison.delayBand
        let gain = 1 / (1 + pow(octaves, 8)).squareRoot()
        ears[ear].re[bin] *= gain
        ears[ear].im[bin] *= gain
      }
    }
    return Heard(delay: CorrelationPeak.lag(of: ears[1], behind: ears[0], fft), levels: levels)
  }

  private func gap(at direction: Direction, _ one: Heard, _ other: Heard) -> Gap {
    let gaps = zip(one.levels, other.levels).map { zip($0, $1).map { $1 - $0 } }
    return Gap(
      direction: direction,
      delay: (other.delay - one.delay).magnitude / Double(HRTFComparison.rate) * 1e6,
      interaural: zip(gaps[0], gaps[1]).map { ($0 - $1).magnitude },
      spectrum: gaps.flatMap { $0 }.map(\.magnitude), level: mean(gaps.flatMap { $0 }))
  }

  private func place(_ gap: Gap) -> HRTFDifference.Place {
    HRTFDifference.Place(
      azimuth: gap.direction.azimuth, elevation: gap.direction.elevation,
      delayMicroseconds: gap.delay, interauralLevelDB: mean(gap.interaural),
      spectrumDB: mean(gap.spectrum))
  }

  private func spread(_ levels: [Double]) -> HRTFDifference.Spread {
    HRTFDifference.Spread(typical: mean(levels), high: rank(levels, 0.95))
  }

  private func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  private func rank(_ values: [Double], _ part: Double) -> Double {
    values.isEmpty ? 0 : values.sorted()[min(values.count - 1, Int(part * Double(values.count)))]
  }
}

extension Spectrum {
  /// Level in dB of the third of an octave around `center` Hz (10^±0.05 times it, IEC 61260-1),
  /// with `width` Hz between bins; level of the nearest bin where none lies inside.
  fileprivate func level(around center: Double, _ width: Double) -> Double {
    let low = Int((center * 0.891 / width).rounded(.up))
    let high = min(count - 1, Int(center * 1.122 / width))
    let near = min(count - 1, Int((center / width).rounded()))
    let bins = low <= high ? low...high : near...near
    let power = bins.reduce(0) { $0 + re[$1] * re[$1] + im[$1] * im[$1] }
    return 10 * log10(max(1e-30, power / Double(bins.count)))
  }
}

/// How the responses of two sets differ as they are played, over the places both have.
package struct HRTFDifference: Sendable, Codable, Hashable {
  /// A typical and a high value of one figure over all places.
  package struct Spread: Sendable, Codable, Hashable {
    /// Median of delays, mean of levels.
    package let typical: Double
    /// The value that 95 % of the places don't exceed.
    package let high: Double
  }

  /// The differences at one place.
  package struct Place: Sendable, Codable, Hashable {
    /// Degrees, positive to the left.
    package let azimuth: Double
    /// Degrees, positive upwards.
    package let elevation: Double
    /// Difference of the interaural delays, in µs.
    package let delayMicroseconds: Double
    /// Mean difference of the interaural level differences, in dB.
    package let interauralLevelDB: Double
    /// Mean difference of the levels at the ears, in dB.
    package let spectrumDB: Double
  }

  /// Places compared; of two symmetric sets the left half and the median plane.
  package let places: Int
  /// Lowest elevation compared, in degrees.
  package let lowestElevation: Double
  /// Highest frequency compared, in Hz.
  package let highestFrequency: Double
  /// Interaural delays, in µs.
  package let delayMicroseconds: Spread
  /// Interaural level differences in thirds of an octave, in dB.
  package let interauralLevelDB: Spread
  /// Levels at each ear in thirds of an octave, in dB.
  package let spectrumDB: Spread
  /// Mean level of the second set above the first's, in dB.
  package let levelDB: Double
  /// The place whose levels at the ears differ most.
  package let largestSpectrum: Place
  /// The place whose interaural delays differ most.
  package let largestDelay: Place
}

extension HRTFSet {
  /// How `other` differs from this set, at those of this set's places from −40° of elevation
  /// upwards that have a place of the other set within 11.5°. Takes some seconds for 1,500
  /// directions.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when there are none.
  package func difference(to other: HRTFSet) throws -> HRTFDifference {
    try HRTFComparison(self, other).difference()
  }
}
