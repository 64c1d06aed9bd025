// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct HRTFSummaryTests {
  private func step(_ summary: HRTFSummary, _ name: HRTFStep) throws -> HRTFSummary.Step {
    try #require(summary.steps.first { $0.name == name })
  }

  /// Highest minus lowest level over 100 Hz…16 kHz.
  private func range(_ field: HRTFSummary.DiffuseField, _ levels: [Double]) -> Double {
    let heard = zip(field.frequenciesHz, levels).filter { (99...16000).contains($0.0) }.map(\.1)
    return (heard.max() ?? 0) - (heard.min() ?? 0)
  }

  @Test(
    "the built-in set's summary has its figures and steps and a processed diffuse field within 1 dB"
  )
  func describesTheBuiltInSet() throws {
    let summary = try HRTFSet.builtIn().summary()
    #expect(summary.id == "kemar" && summary.citation.contains("MIT"))
    #expect(summary.directions == 710 && summary.taps == 320 && summary.sampleRate == 44100)
    #expect(summary.measurements == 368)
    #expect(summary.lowestElevation == -40 && summary.highestElevation == 90)
    #expect((600...850).contains(summary.highestDelayMicroseconds))
    #expect(
      (summary.highestDelayMicroseconds + summary.lowestDelayMicroseconds).magnitude < 0.001)
    #expect(summary.asymmetry == nil)
    for name in [HRTFStep.symmetrise, .level, .diffuseField, .lowFrequencies] {
      #expect(try step(summary, name).isApplied, "\(name)")
    }
    #expect(try !step(summary, .delayUnit).isApplied)
    #expect(try step(summary, .symmetrise).reason.contains("mirror image"))
    let field = summary.diffuseField
    #expect(field.frequenciesHz.count == field.measuredDB.count)
    #expect(field.frequenciesHz.count == field.processedDB.count)
    #expect(range(field, field.measuredDB) > 15)
    #expect(range(field, field.processedDB) <= 1)
    #expect(field.processedDB.allSatisfy { $0.magnitude <= 1 })
  }

  @Test(
    "the SADIE set's summary has its figures, steps and asymmetry and survives JSON",
    .tags(.media),
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func describesAFlatMeasuredSet() throws {
    let path = try #require(HeldOutTests.found)
    let summary = try HRTFSet.summary(of: path)
    #expect(summary.measurements == 1555 && summary.taps == 256 && summary.sampleRate == 48000)
    #expect((600...900).contains(summary.highestDelayMicroseconds))
    #expect(try step(summary, .symmetrise).isApplied)
    #expect(try step(summary, .symmetrise).reason.contains("the equaliser gives it back"))
    #expect(try !step(summary, .diffuseField).isApplied)
    #expect(try step(summary, .lowFrequencies).isApplied)
    #expect(try step(summary, .lowFrequencies).reason.contains("directions differ"))
    #expect(range(summary.diffuseField, summary.diffuseField.processedDB) <= 1)
    #expect(range(summary.diffuseField, summary.diffuseField.measuredDB) <= 1)
    let asymmetry = try #require(summary.asymmetry)
    #expect((0.1...3).contains(asymmetry.levelDB))
    #expect((1...60).contains(asymmetry.delayMicroseconds))
    let coded = try JSONEncoder().encode(summary)
    #expect(try JSONDecoder().decode(HRTFSummary.self, from: coded) == summary)
  }

  @Test(
    "an unsymmetrised set keeps both sides apart, and the symmetrised one has their mean delay",
    .tags(.media, .slow), .fullRunOnly,
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func symmetryCanBeSwitchedOff() throws {
    let path = try #require(HeldOutTests.found)
    let even = try HRTFSet.load(path: path)
    let uneven = try HRTFSet.load(path: path, options: HRTFOptions(isSymmetrised: false))
    #expect(even.grid.isSymmetric && !uneven.grid.isSymmetric)
    #expect(even.directionCount > uneven.directionCount)
    for (set, isEven) in [(even, true), (uneven, false)] {
      let designer = HRIRDesigner(set, rate: 48000)
      let left = designer.pair(for: Direction(azimuth: 30))
      let right = designer.pair(for: Direction(azimuth: -30))
      let gap = Render.difference(left.left, right.right)
      #expect(isEven ? gap < -200 : gap > -40, "\(gap) dB")
    }
    // The average has the mean of both delays.
    let delays = [(even, 30.0), (uneven, 30), (uneven, -30)].map { set, azimuth in
      let pair = ResponseSynthesiser(set).pair(for: Direction(azimuth: azimuth))
      return (pair.right.delay - pair.left.delay) * (azimuth > 0 ? 1 : -1)
    }
    // The part that is given back to the treble of an average moves onsets by less than a thousandth of a sample.
    #expect((delays[0] - (delays[1] + delays[2]) / 2).magnitude < 1e-3, "\(delays)")
    #expect((delays[1] - delays[2]).magnitude > 0.01)
    let summary = uneven.summary()
    #expect(try !step(summary, .symmetrise).isApplied)
    #expect(try step(summary, .symmetrise).reason == "it was switched off")
    #expect(summary.asymmetry == even.summary().asymmetry)
  }

  /// An uneven head needs the full matrix, not sum and difference.
  @Test(
    "an uneven head hears crosstalk at −25 dB or less through filters of at most 7.05 dB",
    .tags(.media),
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func crosstalkIsCancelledForAnUnevenHead() throws {
    let path = try #require(HeldOutTests.found)
    let uneven = try HRTFSet.load(path: path, options: HRTFOptions(isSymmetrised: false))
    let filters = CrosstalkCanceller(
      HRIRDesigner(uneven, rate: 48000), span: 20, rate: 48000, bandwidth: 24000)
    #expect(Render.difference(filters.taps[0], filters.taps[3]) > -40)
    let figures = Listening(filters, uneven, span: 20).suppression
    #expect(min(figures.linear, figures.octaves) >= 25)
    let matrices = Listening.filters(filters, DoubleFFT(length: 16 * filters.taps[0].count))
    let highest = 10 * (matrices.map { log10($0.singularValues.0) }.max() ?? 0) * 2
    #expect(highest <= 7.05, "\(highest) dB")
  }
}
