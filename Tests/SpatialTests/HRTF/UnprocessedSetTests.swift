// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial

/// Without processing a set keeps its own diffuse field and bass; only its level is that of other sets.
@Suite struct UnprocessedSetTests {
  private func levels(_ set: HRTFSet) -> (measured: [Double], played: [Double]) {
    let field = set.summary().diffuseField
    return (field.measuredDB, field.processedDB)
  }

  @Test(
    "an unprocessed set's diffuse field differs from the measured one by one gain within 0.5 dB")
  func theDiffuseFieldKeepsItsShape() throws {
    let plain = try HRTFSet.builtIn(options: HRTFOptions(isProcessed: false))
    let (measured, played) = levels(plain)
    let gains = zip(played, measured).map { $0 - $1 }
    let (low, high) = (gains.min() ?? 0, gains.max() ?? 0)
    // One gain for all thirds of octaves; what interpolation between places does to the mean power stays below 0.5 dB.
    #expect(high - low < 0.5, "\(gains)")
    let flat = try levels(HRTFSet.builtIn()).played
    #expect((flat.max() ?? 0) - (flat.min() ?? 0) < 2)
    #expect((played.max() ?? 0) - (played.min() ?? 0) > 15, "KEMAR's own field isn't flat")
  }

  @Test("an unprocessed set is as loud as a processed one") func itsLevelIsThatOfOtherSets() throws
  {
    let plain = try HRTFSet.builtIn(options: HRTFOptions(isProcessed: false))
    let steps = plain.summary().steps
    #expect(steps.first { $0.name == .level }?.isApplied ?? false)
    for name in [HRTFStep.diffuseField, .lowFrequencies] {
      let step = try #require(steps.first { $0.name == name })
      #expect(!step.isApplied && step.reason.contains("switched off"), "\(step.reason)")
    }
    #expect(try HRTFSet.builtIn().summary().steps.filter(\.isApplied).count == 4)
  }

  @Test("an unprocessed frontal response has over 6 dB less bass than a processed one")
  func aResponseIsTheMeasuredOneWithAGain() throws {
    let plain = try HRTFSet.builtIn(options: HRTFOptions(isProcessed: false))
    let flat = try HRTFSet.builtIn()
    // The low end of the processed set is full, that of the measured one isn't.
    func bass(_ set: HRTFSet) -> Double {
      let pair = HRIRDesigner(set, rate: 48_000).pair(for: Direction(azimuth: 0))
      func level(_ hertz: Double) -> Double {
        var (re, im) = (0.0, 0.0)
        for (index, sample) in pair.left.enumerated() {
          let angle = 2 * .pi * hertz * Double(index) / 48_000
          re += Double(sample) * cos(angle)
          im -= Double(sample) * sin(angle)
        }
        return 10 * log10(re * re + im * im)
      }
      return level(60) - level(1000)
    }
    #expect(bass(plain) < bass(flat) - 6, "\(bass(plain)) and \(bass(flat)) dB")
  }
}
