// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Sets whose bass is flat over the sphere and differs between directions.
@Suite struct BassSpreadTests {
  private static let rate = 48000
  private static let taps = 2048
  private static let places = UnitVector.lattice(200)

  /// Delays between the ears and no other difference; `weaker` dB less below some 100 Hz ahead, and as
  /// much more behind.
  private func measurements(weaker: Double) -> HRTFMeasurements {
    let middle = BassSpreadTests.taps / 2
    // A Gaussian low-pass of 0 dB: −3 dB at 133 Hz.
    let width = 48.0
    let bell = (0..<BassSpreadTests.taps).map { tap -> Double in
      let x = Double(tap - middle) / width
      return exp(-x * x / 2) / (width * (2 * Double.pi).squareRoot())
    }
    let responses = BassSpreadTests.places.flatMap { place -> [Float] in
      let gain = pow(10, (place.x > 0 ? -weaker : weaker) / 20)
      return [-1.0, 1].flatMap { side -> [Float] in
        let lag = Int((side * place.y * 15).rounded())
        var ear = [Float](repeating: 0, count: BassSpreadTests.taps)
        for tap in ear.indices {
          let source = tap - lag
          guard bell.indices.contains(source) else { continue }
          ear[tap] = Float((source == middle ? 1 : 0) + (gain - 1) * bell[source])
        }
        return ear
      }
    }
    return HRTFMeasurements(
      sampleRate: BassSpreadTests.rate, taps: BassSpreadTests.taps,
      directions: BassSpreadTests.places.map { UnitVector.direction(of: $0) },
      responses: responses, delays: [Double](repeating: 0, count: 2 * BassSpreadTests.places.count))
  }

  /// Level in dB of both ears together.
  private func level(_ set: HRTFSet, _ place: SIMD3<Double>, at frequency: Double) -> Double {
    let pair = ResponseSynthesiser(set).pair(at: place)
    let bin = Int((frequency * Double(set.transformLength) / Double(set.sourceRate)).rounded())
    return 10
      * log10((exp(2 * pair.left.logMagnitude[bin]) + exp(2 * pair.right.logMagnitude[bin])) / 2)
  }

  @Test("bass that differs by direction is evened within 0.05 dB, and the summary reports the step")
  func bassThatDiffersBetweenDirectionsIsEvened() throws {
    let set = try HRTFSet(id: "test", citation: "", measurements: measurements(weaker: 2))
    let places = [
      BassSpreadTests.places[3], BassSpreadTests.places[100], BassSpreadTests.places[190],
    ]
    #expect((1.5...2.1).contains(set.bassSpread))
    #expect(set.equalisers.allSatisfy { $0.bass == .evened })
    for place in places {
      #expect(level(set, place, at: 60).magnitude < 0.05)
      #expect((level(set, place, at: 1000) - level(set, places[0], at: 1000)).magnitude < 0.05)
    }
    let step = try #require(set.summary().steps.first { $0.name == .lowFrequencies })
    #expect(step.isApplied && step.reason.contains("directions differ by"))
  }

  @Test("a set with even bass keeps the bass measured") func evenBassStaysAsMeasured() throws {
    let set = try HRTFSet(id: "test", citation: "", measurements: measurements(weaker: 0.2))
    #expect(set.bassSpread < 0.25)
    #expect(set.equalisers.allSatisfy { $0.bass == .measured })
    let step = try #require(set.summary().steps.first { $0.name == .lowFrequencies })
    #expect(!step.isApplied)
  }
}
