// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct SceneFiltersTests {
  /// The limits of the filters, for an order.
  struct Limits: Sendable {
    var order: Int
    /// Median error of interaural delays below 1.5 kHz, µs.
    var itd: Double
    /// Mean error of thirds of an octave, dB.
    var spectrum: Double
  }

  private static let limits = [
    Limits(order: 1, itd: 200, spectrum: 2.4), Limits(order: 2, itd: 60, spectrum: 1.9),
    Limits(order: 3, itd: 15, spectrum: 1.3), Limits(order: 5, itd: 10, spectrum: 1),
    Limits(order: 7, itd: 8, spectrum: 0.8),
  ]

  /// Every tenth place is taken out of a set as ``HeldOutTests`` does it; a wave through the filters of
  /// the rest is compared with the place itself.
  @Test(
    "waves through a scene's filters are within the limits of ITD and spectrum of held-out places",
    arguments: TestedSet.here)
  func heldOutPlacesAreHeard(set: TestedSet) throws {
    let whole = try set.load()
    let left = whole.grid.points.filter { $0.position.y > 0.02 }
    let held = left.indices.filter { $0 % 10 == 5 }.map { left[$0] }
    let gone = Set(held.flatMap { $0.members.map(\.measurement) })
    let rest = try HRTFSet(
      id: "rest", citation: "", measurements: whole.measurements.without(gone),
      hemisphere: whole.isHemisphere)
    let truth = HRIRDesigner(whole, rate: 48000)
    for limit in SceneFiltersTests.limits {
      let filters = SceneFilters(rest, order: limit.order, rate: 48000)
      var errors = InterpolationErrors()
      var low: [Double] = []
      for point in held {
        let heard = SceneWave(point.position, filters.order).ears(filters)
        let wanted = truth.pair(at: point.position)
        errors.compare(heard, wanted)
        low.append(
          (InterpolationErrors.interauralDelay(heard, below: 1500)
            - InterpolationErrors.interauralDelay(wanted, below: 1500)).magnitude)
      }
      let itd = low.sorted()[low.count / 2]
      let name = "scene of order \(limit.order), "
      // Goals are stated for the third order only.
      if limit.order == 3 {
        QualityRecord.add(name + "ITD below 1.5 kHz, median", set.rawValue, itd)
        for (metric, figure) in errors.figures
        where ["ITD, median", "spectrum, mean"].contains(metric) {
          QualityRecord.add(name + metric, set.rawValue, figure)
        }
      }
      let spectrum = errors.figures.first { $0.metric == "spectrum, mean" }?.figure
      #expect(itd <= limit.itd, "order \(limit.order): \(itd) us")
      #expect(try #require(spectrum) <= limit.spectrum, "order \(limit.order)")
    }
  }

  /// A wave from the front is as loud as a channel of a bed there, and as late. Low orders are fainter
  /// and less sharp in time, because few channels can't follow the phase.
  @Test(
    "a frontal wave has the tap count of a bed's channel, and its level and onset within the limits",
    arguments: TestedSet.here)
  func theFrontIsThatOfABed(set: TestedSet) throws {
    let hrtf = try set.load()
    let cases = [
      (44100, 1, 2.0, 80.0), (44100, 3, 0.5, 40), (44100, 7, 0.5, 30), (96000, 3, 0.5, 40),
    ]
    for (rate, order, loudness, time) in cases {
      let designer = HRIRDesigner(hrtf, rate: rate)
      let front = SIMD3<Double>(1, 0, 0)
      let wanted = designer.pair(at: front)
      let filters = SceneFilters(hrtf, order: order, rate: rate)
      #expect(filters.lead == designer.lead && filters.taps == wanted.left.count)
      let heard = SceneWave(front, order).ears(filters)
      let level = 10 * log10(Render.energy(heard.left) / Render.energy(wanted.left))
      let lag = Render.lag(heard.left, wanted.left) / Double(rate) * 1e6
      #expect(level.magnitude < loudness, "\(rate) Hz, order \(order): \(level) dB")
      #expect(lag.magnitude < time, "\(rate) Hz, order \(order): \(lag) us")
    }
  }

  /// Mirrored waves are heard mirrored to the last bit by a symmetric head.
  @Test("mirrored waves have exchanged ears to the last bit for a symmetric head")
  func mirroredWavesAreHeardMirrored() throws {
    let filters = SceneFilters(try HRTFSet.builtIn(), order: 4, rate: 48000)
    for place in UnitVector.lattice(9) {
      let one = SceneWave(place, 4).ears(filters)
      let other = SceneWave(place * SIMD3(1, -1, 1), 4).ears(filters)
      #expect(one.left == other.right && one.right == other.left)
    }
  }

  /// Without symmetry each ear has a fit of its own.
  @Test(
    "waves from ±60° have the designer's level at each ear of an asymmetric head within 2 dB",
    .tags(.media),
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func headsThatAreNotSymmetricHaveTwoEars() throws {
    let hrtf = try HRTFSet.load(
      path: #require(HeldOutTests.found), options: HRTFOptions(isSymmetrised: false))
    #expect(!hrtf.grid.isSymmetric)
    let filters = SceneFilters(hrtf, order: 3, rate: 48000)
    let designer = HRIRDesigner(hrtf, rate: 48000)
    for azimuth in [60.0, -60] {
      let place = UnitVector.of(Direction(azimuth: azimuth))
      let heard = SceneWave(place, 3).ears(filters)
      let wanted = designer.pair(at: place)
      for (one, other) in [(heard.left, wanted.left), (heard.right, wanted.right)] {
        let level = 10 * log10(Render.energy(one) / Render.energy(other))
        #expect(level.magnitude < 2, "\(azimuth): \(level) dB")
      }
    }
  }

  @Test(
    "filters that are kept are those of the set, the options, the order and the rate that are asked for"
  )
  func keptFiltersAreTheOnesAskedFor() throws {
    let asked: [(options: HRTFOptions, order: Int, rate: Int)] = [
      (HRTFOptions(), 1, 48_000), (HRTFOptions(), 2, 48_000), (HRTFOptions(), 1, 44_100),
      (HRTFOptions(isProcessed: false), 1, 48_000), (HRTFOptions(head: .scaled(1.2)), 1, 48_000),
    ]
    // Twice, so that some are found again and some were replaced by later ones.
    for (options, order, rate) in asked + asked {
      let hrtf = try HRTFSet.builtIn(options: options)
      let kept = SceneFilters.designed(for: hrtf, order: order, rate: rate)
      let made = SceneFilters(hrtf, order: order, rate: rate)
      #expect(kept.order == made.order && kept.lead == made.lead, "\(options), \(order), \(rate)")
      #expect(kept.left == made.left && kept.right == made.right, "\(options), \(order), \(rate)")
    }
  }
}
