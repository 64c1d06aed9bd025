// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct HRTFDifferenceTests {
  /// A set with every response `gain` times as loud and the left ear `late` samples late.
  private func changed(gain: Float = 1, late: Int = 0) throws -> HRTFSet {
    let raw = try KEMARMeasurements.decode()
    let responses = raw.directions.indices.flatMap { index -> [Float] in
      (0..<2).flatMap { ear -> [Float] in
        let start = raw.offset(index, ear: ear)
        let taps = raw.responses[start..<start + raw.taps].map { $0 * gain }
        let shift = ear == 0 ? late : 0
        return [Float](repeating: 0, count: shift) + taps.dropLast(shift)
      }
    }
    return try HRTFSet(
      id: "changed", citation: "",
      measurements: HRTFMeasurements(
        sampleRate: raw.sampleRate, taps: raw.taps, directions: raw.directions,
        responses: responses, delays: raw.delays), hemisphere: true)
  }

  @Test("the built-in set differs from itself by 0 at 368 places")
  func aSetDoesNotDifferFromItself() throws {
    let set = try HRTFSet.builtIn()
    let difference = try set.difference(to: HRTFSet.builtIn())
    #expect(difference.places == 368 && (difference.lowestElevation + 40).magnitude < 1e-9)
    for spread in [
      difference.delayMicroseconds, difference.interauralLevelDB, difference.spectrumDB,
    ] { #expect(spread.typical == 0 && spread.high == 0) }
    #expect(difference.levelDB == 0)
    #expect(difference.largestSpectrum.spectrumDB == 0)
    #expect(difference.largestDelay.delayMicroseconds == 0)
  }

  /// The processing of sets removes a plain gain.
  @Test("a set of a tenth of the level differs by less than 0.01 dB and 0.1 µs")
  func aGainMakesNoDifference() throws {
    let difference = try HRTFSet.builtIn().difference(to: changed(gain: 0.1))
    #expect(difference.levelDB.magnitude < 0.01, "\(difference)")
    #expect(difference.spectrumDB.high < 0.01 && difference.delayMicroseconds.high < 0.1)
  }

  /// Ten samples at 44.1 kHz are 227 µs; median places stay in the middle of a symmetric set.
  @Test("a left ear 10 samples late gives a typical delay difference of 227 µs")
  func aLaterEarIsFound() throws {
    let difference = try HRTFSet.builtIn().difference(to: changed(late: 10))
    #expect((difference.delayMicroseconds.typical - 227).magnitude < 5, "\(difference)")
    #expect(difference.spectrumDB.high < 0.5)
  }

  @Test("sets without a common direction are refused with both names")
  func setsWithoutACommonDirectionAreRefused() throws {
    let raw = try KEMARMeasurements.decode()
    func half(_ isUpper: Bool) throws -> HRTFSet {
      let kept = raw.directions.indices.filter {
        isUpper ? raw.directions[$0].elevation >= 60 : raw.directions[$0].elevation <= 20
      }
      return try HRTFSet(
        id: isUpper ? "upper" : "lower", citation: "",
        measurements: HRTFMeasurements(
          sampleRate: raw.sampleRate, taps: raw.taps, directions: kept.map { raw.directions[$0] },
          responses: kept.flatMap {
            raw.responses[raw.offset($0, ear: 0)..<raw.offset($0, ear: 0) + 2 * raw.taps]
          }, delays: [Double](repeating: 0, count: 2 * kept.count)), hemisphere: true)
    }
    let error = #expect(throws: MediaError.self) {
      try half(true).difference(to: half(false))
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("upper and lower") == true)
  }

  @Test(
    "KEMAR and SADIE differ by plausible delays and spectra", .tags(.media, .slow), .fullRunOnly,
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func twoHeadsDiffer() throws {
    let other = try HRTFSet.load(path: #require(HeldOutTests.found))
    let there = try HRTFSet.builtIn().difference(to: other)
    let back = try other.difference(to: HRTFSet.builtIn())
    #expect((5...40).contains(there.delayMicroseconds.typical))
    #expect((0.5...4).contains(there.spectrumDB.typical))
    #expect(there.levelDB.magnitude < 1 && (there.levelDB + back.levelDB).magnitude < 0.5)
    #expect(there.largestSpectrum.spectrumDB > there.spectrumDB.typical)
    #expect(there.largestDelay.delayMicroseconds >= there.delayMicroseconds.high)
    let uneven = try HRTFSet.load(
      path: #require(HeldOutTests.found), options: HRTFOptions(isSymmetrised: false))
    let sides = try uneven.difference(to: other)
    #expect(sides.places > back.places)
    #expect((1...60).contains(sides.delayMicroseconds.high), "\(sides)")
  }
}
