// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The filters of the diffuse part.
@Suite struct DecorrelationTests {
  private struct Check: Decodable {
    let first_uint32: [UInt32]
    let taps_0_7: [Double]
  }

  @Test("the 10,000th output of the generator for seed 5489 is 4,123,659,995")
  func theGeneratorIsMT19937() {
    // The 10,000th output for the seed 5489, as the C++ standard has it (ISO/IEC 14882, rand.predef).
    var generator = MersenneTwister(seed: 5489)
    for _ in 1..<10_000 { _ = generator.next() }
    #expect(generator.next() == 4_123_659_995)
  }

  @Test(
    "numbers and taps of 24 decorrelation filters are those of the reference file", .tags(.media),
    .enabled(if: ObjectCases.isPresent, "../shared is missing"))
  func filtersAreThoseOfTheReference() throws {
    let checks = try GainVectors.read("tables/decorrelator_check.json", as: [String: Check].self)
    #expect(checks.count == 24)
    for (name, check) in checks {
      let number = try #require(Int(name))
      var generator = MersenneTwister(seed: UInt32(number))
      #expect(check.first_uint32.map { _ in generator.next() } == check.first_uint32)
      let taps = DecorrelationFilter.taps(number).prefix(8)
      #expect(zip(taps, check.taps_0_7).allSatisfy { ($0 - $1).magnitude < 1e-11 }, "\(name)")
    }
  }

  @Test("all 24 decorrelation filters have 512 taps and a gain of 1 in each bin")
  func filtersPassAllFrequenciesAlike() {
    for number in 0..<24 {
      let taps = DecorrelationFilter.taps(number)
      #expect(taps.count == 512)
      for bin in 0...256 {
        var (re, im) = (0.0, 0.0)
        for (index, tap) in taps.enumerated() {
          let phase = 2 * Double.pi * Double(bin * index % 512) / 512
          re += tap * cos(phase)
          im -= tap * sin(phase)
        }
        #expect((re * re + im * im - 1).magnitude < 1e-12)
      }
    }
  }
}
