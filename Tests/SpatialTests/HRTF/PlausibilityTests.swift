// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct PlausibilityTests {
  /// A ring of clicks; the ear on a source's side is `lead` samples early and twice as loud.
  private func ring(_ count: Int = 36, lead: Int = 20, spread: Double = 360) -> HRTFMeasurements {
    var directions: [Direction] = []
    var responses: [Float] = []
    for index in 0..<count {
      let azimuth = spread * (Double(index) / Double(count) - 0.5)
      directions.append(Direction(azimuth: azimuth))
      for sign in [1.0, -1.0] {
        var taps = [Float](repeating: 0, count: 128)
        let side = UnitVector.of(Direction(azimuth: azimuth)).y * sign
        let shift = lead < 0 ? -side : side
        taps[64 - Int(shift * Double(lead.magnitude) / 2)] = Float(1 + 0.5 * shift)
        responses += taps
      }
    }
    return HRTFMeasurements(
      sampleRate: 48000, taps: 128, directions: directions, responses: responses,
      delays: [Double](repeating: 0, count: 2 * count))
  }

  private func verdict(_ set: HRTFMeasurements) -> MediaError.Kind? {
    do {
      try Plausibility(set, path: "x.sofa").check()
      return nil
    } catch {
      return (error as? MediaError)?.kind
    }
  }

  private func changed(_ index: Int, to value: Float) -> HRTFMeasurements {
    let set = ring()
    var responses = set.responses
    responses[index] = value
    return HRTFMeasurements(
      sampleRate: set.sampleRate, taps: set.taps, directions: set.directions,
      responses: responses, delays: set.delays)
  }

  @Test("a ring of clicks with the near ear early and loud is plausible")
  func acceptsAPlainSet() { #expect(verdict(ring()) == nil) }

  @Test("a ring whose near ear is late is refused as unsupported")
  func refusesExchangedEars() { #expect(verdict(ring(lead: -20)) == .unsupportedFeature) }

  @Test("a set with equal ears is refused as unreadable")
  func refusesEqualEars() {
    let set = ring()
    let same = set.directions.indices.flatMap { index -> [Float] in
      let taps = set.responses[set.offset(index, ear: 0)..<set.offset(index, ear: 0) + 128]
      return Array(taps) + Array(taps)
    }
    let equal = HRTFMeasurements(
      sampleRate: 48000, taps: 128, directions: set.directions, responses: same,
      delays: set.delays)
    #expect(verdict(equal) == .inputUnreadable)
  }

  @Test("19 directions and 36 within 60° are refused as unreadable")
  func refusesFewOrOneSidedDirections() {
    #expect(verdict(ring(19)) == .inputUnreadable)
    #expect(verdict(ring(36, spread: 60)) == .inputUnreadable)
  }

  @Test("responses with NaN or infinity and silent ones are refused as unreadable")
  func refusesImpossibleSamples() {
    #expect(verdict(changed(70, to: .nan)) == .inputUnreadable)
    #expect(verdict(changed(70, to: .infinity)) == .inputUnreadable)
    let set = ring()
    let silent = HRTFMeasurements(
      sampleRate: 48000, taps: 128, directions: set.directions,
      responses: [Float](repeating: 0, count: set.responses.count), delays: set.delays)
    #expect(verdict(silent) == .inputUnreadable)
  }

  /// Responses that hold no delays are judged by their levels.
  @Test("a set without delays is taken, and refused when the farther ear is the louder one")
  func theLouderEarDecidesWithoutDelays() {
    let set = ring(lead: 0)
    #expect(verdict(set) == nil)
    let responses = set.directions.indices.flatMap { index in
      [1, 0].flatMap { ear in
        set.responses[set.offset(index, ear: ear)..<set.offset(index, ear: ear) + set.taps]
      }
    }
    let exchanged = HRTFMeasurements(
      sampleRate: set.sampleRate, taps: set.taps, directions: set.directions,
      responses: responses, delays: set.delays)
    #expect(verdict(exchanged) == .unsupportedFeature)
  }
}
