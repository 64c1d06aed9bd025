// SPDX-License-Identifier: Apache-2.0
import Effects
import Testing

/// Filters of an equaliser against the analogue filters that they stand for.
struct BiquadTests {
  private static let shapes: [EqualizerBand.Shape] = [
    .peak, .lowShelf, .highShelf, .lowPass, .highPass, .bandPass, .notch, .allPass,
  ]

  @Test(
    "filters of each shape have the levels of their analogue filters within 1e-5 dB",
    arguments: shapes, [44_100.0, 48_000, 192_000])
  func gainsAreThoseOfTheAnalogueFilter(shape: EqualizerBand.Shape, rate: Double) {
    for frequency in [21.0, 105, 1000, 9000, 17_000] {
      for (gain, q) in [(6.5, 0.7), (-11, 1.41), (0.3, 5), (-3, 0.3)] {
        let band = EqualizerBand(shape, frequency: frequency, gain: gain, width: .quality(q))
        let (filter, analogue) = (Biquad(band, rate: rate), AnalogueFilter(band))
        for point in [10.0, 50, 104, 480, 999, 3000, 8000, 16_000, 20_000] {
          let wanted = analogue.level(at: point, band, rate: rate)
          let found = level(of: filter, at: point, rate: rate)
          // Near a notch's bottom both are tiny.
          guard wanted > -80 else { continue }
          #expect(abs(found - wanted) < 1e-5, "\(shape) \(frequency) Hz \(gain) dB at \(point) Hz")
        }
      }
    }
  }

  @Test(
    "shelves with a slope have the levels of their analogue filters within 1e-6 dB",
    arguments: [0.5, 0.9, 1.0])
  func aSlopeIsAWidthOfShelves(slope: Double) {
    for shape in [EqualizerBand.Shape.lowShelf, .highShelf] {
      let band = EqualizerBand(shape, frequency: 300, gain: 8, width: .slope(slope))
      let (filter, analogue) = (Biquad(band, rate: 48_000), AnalogueFilter(band))
      for point in [20.0, 150, 300, 600, 5000] {
        let wanted = analogue.level(at: point, band, rate: 48_000)
        #expect(abs(level(of: filter, at: point, rate: 48_000) - wanted) < 1e-6)
      }
    }
  }

  @Test("a peak one octave wide has half its gain at both edges")
  func aBandwidthIsTheDistanceOfTheEdges() {
    // At the edges of a peak lies half of its gain in dB.
    let band = EqualizerBand(.peak, frequency: 200, gain: 6, width: .octaves(1))
    let filter = Biquad(band, rate: 48_000)
    for edge in [200 / 2.0.squareRoot(), 200 * 2.0.squareRoot()] {
      #expect(abs(level(of: filter, at: edge, rate: 48_000) - 3) < 0.01)
    }
  }

  /// Filters that ring, and those that don't: there the slower of two decays counts.
  @Test(
    "a filter's reach is one to three times the length at which its response has fallen to 1e-6",
    arguments: [
      EqualizerBand(.peak, frequency: 60, gain: 9, width: .quality(4)),
      EqualizerBand(.peak, frequency: 60, gain: 9, width: .quality(0.2)),
      EqualizerBand(.lowPass, frequency: 60, width: .quality(0.2)),
      EqualizerBand(.bandPass, frequency: 60, width: .quality(0.2)),
    ])
  func theReachIsWhereTheResponseHasFallen(band: EqualizerBand) {
    let filter = Biquad(band, rate: 48_000)
    var impulse = [Double](repeating: 0, count: 200_000)
    impulse[0] = 1
    let response = AnalogueFilter(band).run(impulse, band, rate: 48_000)
    let last = response.lastIndex { $0.magnitude > 1e-6 } ?? 0
    let reach = filter.reach(to: 1e-6)
    #expect(reach >= Double(last))
    #expect(reach < 3 * Double(last))
  }
}
