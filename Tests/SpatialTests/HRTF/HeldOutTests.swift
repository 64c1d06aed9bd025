// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Measured directions are taken out of a dense set and interpolated from the rest.
@Suite struct HeldOutTests {
  /// Path of the dense set; `nil` on machines that don't have it.
  static let found = SharedMedia.hrtf

  @Test(
    "held-out places of the SADIE set are interpolated within the limits", .tags(.media),
    .enabled(if: found != nil, "the SADIE test set is not beside the package"))
  func interpolationMatchesHeldOutMeasurements() throws {
    let file = try SOFAFile(path: #require(HeldOutTests.found))
    let all = try file.measurements()
    let whole = try HRTFSet(id: "whole", citation: "", measurements: all)
    let held = heldOut(whole.grid)
    let rest = try HRTFSet(
      id: "rest", citation: "",
      measurements: all.without(Set(held.flatMap { $0.members.map(\.measurement) })))
    #expect(held.count > 60)
    #expect(rest.grid.points.count <= whole.grid.points.count - held.count)
    let truth = HRIRDesigner(whole, rate: 48000)
    let guess = HRIRDesigner(rest, rate: 48000)
    var errors = InterpolationErrors()
    for point in held {
      errors.compare(guess.pair(at: point.position), truth.pair(at: point.position))
    }
    let beyond = errors.record("sadie", limits: [5, 15, 0.7, 3, 0.35, 1.5, 0.3])
    #expect(beyond.isEmpty, "\(beyond)")
  }

  /// The set is flat as it is, so a measured place sounds as measured but for one gain.
  @Test(
    "a measured place of the SADIE set sounds as measured within 0.25 dB but for one gain",
    .tags(.media), .enabled(if: found != nil, "the SADIE test set is not beside the package"))
  func aMeasuredPlaceSoundsAsMeasured() throws {
    let raw = try SOFAFile(path: #require(HeldOutTests.found)).measurements()
    let set = try HRTFSet(id: "whole", citation: "", measurements: raw)
    #expect(set.equalisers[0].bass == .evened)
    let pair = HRIRDesigner(set, rate: 48000).pair(for: Direction(azimuth: 30))
    let places = [30.0, -30].compactMap { azimuth in
      raw.directions.firstIndex { $0 == Direction(azimuth: azimuth) }
    }
    try #require(places.count == 2)
    func taps(_ place: Int, _ ear: Int) -> [Double] {
      let start = raw.offset(place, ear: ear)
      return raw.responses[start..<start + raw.taps].map(Double.init)
    }
    var gains: [Double] = []
    for step in 0...20 {
      let frequency = 400 * pow(2, Double(step) / 4)
      for (made, ear) in [(pair.left, 0), (pair.right, 1)] {
        let one = Render.power(taps(places[0], ear), at: frequency, rate: 48000)
        let other = Render.power(taps(places[1], 1 - ear), at: frequency, rate: 48000)
        let power = Render.power(made, at: frequency, rate: 48000)
        gains.append(10 * log10(power / (one * other).squareRoot()))
      }
    }
    let mean = gains.reduce(0, +) / Double(gains.count)
    let worst = gains.map { ($0 - mean).magnitude }.max() ?? 0
    #expect(worst < 0.25, "\(worst) dB off")
  }

  /// Every tenth place of the left half, measured on both sides.
  private func heldOut(_ grid: DirectionGrid) -> [GridPoint] {
    let left = grid.points.filter { $0.position.y > 0.02 && $0.members.count > 1 }
    return left.indices.filter { $0 % 10 == 5 }.map { left[$0] }
  }
}
