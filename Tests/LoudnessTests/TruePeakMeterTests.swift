// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Loudness

@Suite struct TruePeakMeterTests {
  /// The taps of ITU-R BS.1770-5, Annex 2, phases 0 and 1; phases 3 and 2 are these reversed.
  private static let listed: [[Double]] = [
    [
      0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875,
      0.1373291015625, 0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125,
      0.014892578125, -0.00830078125,
    ],
    [
      -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625,
      0.77978515625, -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875,
      -0.0189208984375,
    ],
  ]

  /// Largest magnitude over all outputs of the given phases, in Double, with silence before and after the
  /// input.
  private func plainMagnitudes(_ samples: [Float], phases: [Int]) -> [Double] {
    let table = Self.listed + [Self.listed[1].reversed(), Self.listed[0].reversed()]
    let zeros = [Float](repeating: 0, count: 11)
    let padded = (zeros + samples + zeros).map(Double.init)
    return (11..<padded.count).map { index in
      phases.reduce(0) { largest, phase in
        let sum = (0..<12).reduce(0.0) { $0 + table[phase][$1] * padded[index - $1] }
        return max(largest, sum.magnitude)
      }
    }
  }

  private func plainPeak(_ samples: [Float], phases: [Int]) -> Double {
    let peak = Double(samples.map(\.magnitude).max() ?? 0)
    return max(peak, plainMagnitudes(samples, phases: phases).max() ?? 0)
  }

  private func peak(_ samples: [Float], rate: Int, block: Int) -> Float {
    let meter = TruePeakMeter(sampleRate: rate, interpolates: true)
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for start in stride(from: 0, to: samples.count, by: block) {
        _ = meter.add(base + start, count: min(block, samples.count - start))
      }
    }
    meter.finish()
    return meter.truePeak
  }

  @Test("interpolated magnitudes are those of the filter in BS.1770, Annex 2, within 1e-6")
  func everyOutputIsThatOfTheListedFilter() {
    var noise = SeededNoise(seed: 6)
    let samples = noise.samples(4000)
    let zeros = [Float](repeating: 0, count: 11)
    var all = [Float](repeating: 0, count: 4008)
    var half = all
    (zeros + samples + zeros).withUnsafeBufferPointer { input in
      guard let base = input.baseAddress else { return }
      all.withUnsafeMutableBufferPointer { output in
        if let output = output.baseAddress {
          AnnexTwoInterpolator.quadruple(base + 11, count: 4000, into: output)
        }
      }
      half.withUnsafeMutableBufferPointer { output in
        if let output = output.baseAddress {
          AnnexTwoInterpolator.double(base + 11, count: 4000, into: output)
        }
      }
    }
    let quadruple = plainMagnitudes(samples, phases: [0, 1, 2, 3])
    let double = plainMagnitudes(samples, phases: [0, 2])
    for index in 0..<4000 {
      #expect((Double(all[index]) - quadruple[index]).magnitude < 1e-6)
      #expect((Double(half[index]) - double[index]).magnitude < 1e-6)
    }
  }

  @Test(
    "the true peak is that of the listed filter within 1e-6 at four rates, for blocks of any size",
    arguments: [1 as UInt64, 2, 3, 4, 5])
  func isTheListedFilterWhateverIsSkipped(seed: UInt64) {
    var noise = SeededNoise(seed: seed)
    var samples = noise.samples(5000, peak: 0.2)
    // With one louder place, the meter can skip most of the signal.
    for index in 1200..<1210 { samples[index] *= 2.5 }
    let rates = [
      (48_000, [0, 1, 2, 3]), (96_000, [0, 1, 2, 3]), (192_000, [0, 2]), (384_000, []),
    ]
    for (rate, phases) in rates {
      let wanted = plainPeak(samples, phases: phases)
      let found = peak(samples, rate: rate, block: 5000)
      #expect((Double(found) / wanted - 1).magnitude < 1e-6, "\(rate) Hz")
      for block in [1, 7, 64, 480] { #expect(peak(samples, rate: rate, block: block) == found) }
    }
  }

  @Test("two samples of 0.5 before an abrupt end have a true peak above 0.6")
  func seesThePeakAfterAnAbruptEnd() {
    // Two equal samples before an abrupt end: the interpolated signal exceeds them.
    let samples = [Float](repeating: 0, count: 100) + [0.5, 0.5]
    #expect(
      Double(peak(samples, rate: 48_000, block: 10)) == plainPeak(samples, phases: [0, 1, 2, 3]))
    #expect(peak(samples, rate: 48_000, block: 10) > 0.6)
  }
}
