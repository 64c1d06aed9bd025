// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Traps of SOFA files: exchanged ears, and delays in a unit of their own.
@Suite struct EarOrderTests {
  private func exchanged(_ set: HRTFMeasurements) -> HRTFMeasurements {
    let responses = set.directions.indices.flatMap { index -> [Float] in
      let ears = (0..<2).map { ear -> ArraySlice<Float> in
        let start = set.offset(index, ear: ear)
        return set.responses[start..<start + set.taps]
      }
      return Array(ears[1]) + Array(ears[0])
    }
    let delays = set.directions.indices.flatMap { [set.delays[2 * $0 + 1], set.delays[2 * $0]] }
    return HRTFMeasurements(
      sampleRate: set.sampleRate, taps: set.taps, directions: set.directions,
      responses: responses, delays: delays)
  }

  private func delayed(_ set: HRTFMeasurements, right: Double) -> HRTFMeasurements {
    HRTFMeasurements(
      sampleRate: set.sampleRate, taps: set.taps, directions: set.directions,
      responses: set.responses,
      delays: set.directions.flatMap { direction in
        direction.azimuth >= 0 ? [0, right] : [right, 0]
      })
  }

  private func refusal(_ set: HRTFMeasurements) -> MediaError? {
    do {
      try Plausibility(set, path: "set.sofa").check()
      return nil
    } catch {
      return error as? MediaError
    }
  }

  @Test(
    "the SADIE set is taken, and with exchanged ears it is refused",
    .tags(.media),
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func aMeasuredSetWithExchangedEarsIsRefused() throws {
    let set = try SOFAFile(path: #require(HeldOutTests.found)).measurements()
    #expect(refusal(set) == nil)
    let error = try #require(refusal(exchanged(set)))
    #expect(error.kind == .unsupportedFeature)
    #expect(error.message.contains("ears exchanged"))
  }

  @Test(
    "libmysofa's KEMAR set is taken, and with exchanged ears it is refused",
    .enabled(if: SOFARefusalTests.hasKemar, "libmysofa's set is not installed"))
  func aSetWithoutEqualisationIsJudgedTheSameWay() throws {
    let set = try SOFAFile(path: SOFARefusalTests.kemar).measurements()
    #expect(refusal(set) == nil)
    #expect(refusal(exchanged(set))?.kind == .unsupportedFeature)
  }

  /// Delays of another unit or rate put the ears further apart than any head.
  @Test(
    "ears 200 samples apart are refused with the delay in µs, and ears 10 apart are taken",
    .tags(.media),
    .enabled(if: HeldOutTests.found != nil, "the SADIE test set is not beside the package"))
  func earsTooFarApartAreRefused() throws {
    let set = try SOFAFile(path: #require(HeldOutTests.found)).measurements()
    let error = try #require(refusal(delayed(set, right: 200)))
    #expect(error.kind == .inputUnreadable)
    #expect(error.message.contains("µs late"), "\(error.message)")
    #expect(refusal(delayed(set, right: 10)) == nil)
  }

  @Test("delays are read as none, samples or seconds, and NaN, infinity and ±4801 samples are not")
  func delaysAreReadInSamplesOrSeconds() throws {
    let none = try #require(MeasuredDelays(stored: [0, 0, 0, 0], rate: 48000))
    #expect(none.unit == .none && none.samples == [0, 0, 0, 0])
    let samples = try #require(MeasuredDelays(stored: [12, 40.5, 0, 3], rate: 48000))
    #expect(samples.unit == .samples && samples.samples == [12, 40.5, 0, 3])
    let seconds = try #require(MeasuredDelays(stored: [0.00025, 0.001, 0, 0.0005], rate: 48000))
    #expect(seconds.unit == .seconds)
    #expect(
      zip(seconds.samples, [12.0, 48, 0, 24]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    for wrong in [[.nan, 0], [.infinity, 0], [4801.0, 0], [-4801, 0]] {
      #expect(MeasuredDelays(stored: wrong, rate: 48000) == nil, "\(wrong)")
    }
  }
}
