// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// A set whose right side isn't the left one's mirror image, rendered as it is and evened out.
@Suite struct UnevenSetTests {
  private let measurements: HRTFMeasurements

  /// The built-in set, and on its right side a mirror image that is duller and two samples late.
  init() throws {
    let half = try KEMARMeasurements.decode()
    func ear(_ index: Int, _ ear: Int) -> [Float] {
      let start = half.offset(index, ear: ear)
      return Array(half.responses[start..<start + half.taps])
    }
    func dull(_ taps: [Float]) -> [Float] {
      taps.indices.map { 0.7 * taps[$0] + ($0 > 0 ? 0.3 * taps[$0 - 1] : 0) }
    }
    let sides = half.directions.indices.filter { half.directions[$0].azimuth.magnitude < 179 }
      .filter { half.directions[$0].azimuth.magnitude > 1 }
    measurements = HRTFMeasurements(
      sampleRate: half.sampleRate, taps: half.taps,
      directions: half.directions
        + sides.map { index in
          let place = half.directions[index]
          return Direction(azimuth: -place.azimuth, elevation: place.elevation)
        },
      responses: half.responses + sides.flatMap { dull(ear($0, 1)) + dull(ear($0, 0)) },
      delays: half.delays + sides.flatMap { _ in [0, 2] })
  }

  private func ears(_ isSymmetrised: Bool, _ signal: [[Float]]) throws -> [[Double]] {
    let set = try HRTFSet(
      id: "uneven", citation: "", measurements: measurements,
      options: HRTFOptions(isSymmetrised: isSymmetrised))
    #expect(set.grid.isSymmetric == isSymmetrised)
    return try Render.all(signal, Render.format("5.1"), set).map { $0.map(Double.init) }
  }

  @Test("exchanged channels mirror the ears of the symmetrised set only")
  func onlyTheEvenSetMirrors() throws {
    var source = SeededNoise(seed: 23)
    let signal = (0..<6).map { _ in source.samples(9000, peak: 0.5) }
    let turned = [1, 0, 2, 3, 5, 4].map { signal[$0] }
    let even = (try ears(true, signal), try ears(true, turned))
    let uneven = (try ears(false, signal), try ears(false, turned))
    for ear in 0..<2 {
      #expect(Render.difference(even.1[1 - ear], even.0[ear]) <= -120)
      #expect(Render.difference(uneven.1[1 - ear], uneven.0[ear]) > -30)
      #expect(Render.difference(uneven.0[ear], even.0[ear]) > -30)
    }
  }

  /// The average of two levels in dB has less power than both have on average; what is played is as
  /// flat as if it had not.
  @Test("a set averaged over both sides is played flat within 0.3 dB, and the summary says why")
  func averagingBothSidesTakesNothingOffTheTreble() throws {
    let even = try HRTFSet(id: "uneven", citation: "", measurements: measurements)
    let summary = even.summary()
    let step = try #require(summary.steps.first { $0.name == .symmetrise })
    let field = summary.diffuseField
    let heard = zip(field.frequenciesHz, field.processedDB).filter { (99...16000).contains($0.0) }
    let highest = heard.map(\.1).max() ?? 0
    let lowest = heard.map(\.1).min() ?? 0
    #expect(even.mirrorLoss.highest > 0.5)
    #expect(highest - lowest <= 0.3, "\(lowest)…\(highest) dB")
    #expect(step.reason.contains("the equaliser gives it back"))
  }

  @Test("the built-in set of one half has a mirror loss below 0.01 dB and extended bass")
  func aSetOfOneHalfLosesNothing() throws {
    let half = try HRTFSet.builtIn()
    #expect(half.mirrorLoss.highest < 0.01 && !half.mirrorLoss.counts)
    #expect(half.equalisers[0].bass == .extended)
  }
}
