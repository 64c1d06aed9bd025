// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct LevelTests {
  private static let layouts = [
    "mono", "stereo", "3.0", "quad", "5.0", "5.1", "5.1(side)", "7.1", "5.1.4", "7.1.4", "22.2",
  ]

  @Test("the diffuse field of each set is flat within 1 dB", arguments: TestedSet.here)
  func theDiffuseFieldIsFlat(set: TestedSet) throws {
    let hrtf = try set.load()
    let designer = HRIRDesigner(hrtf, rate: 48000)
    let fft = DoubleFFT(length: 2048)
    var power = [Double](repeating: 0, count: 1025)
    var count = 0.0
    for place in UnitVector.lattice(500) where place.z > -0.7 {
      let direction = Direction(
        azimuth: atan2(place.y, place.x) * 180 / .pi, elevation: asin(place.z) * 180 / .pi)
      let spectrum = Render.spectrum(designer.pair(for: direction).left, fft)
      for bin in power.indices {
        power[bin] += spectrum.re[bin] * spectrum.re[bin] + spectrum.im[bin] * spectrum.im[bin]
      }
      count += 1
    }
    let levels = power.map { 10 * log10($0 / count) }
    let width = 48000.0 / 2048
    let field = DiffuseField(levels: levels, binWidth: width)
    let figures = "range \(field.range), mean \(field.mean), 50 Hz \(field.level(at: 50))"
    QualityRecord.add("diffuse-field range", set.rawValue, field.range)
    QualityRecord.add("diffuse field at 50 Hz", set.rawValue, field.level(at: 50) - field.mean)
    #expect(field.range <= 1, "\(figures)")
    #expect((field.level(at: 50) - field.mean).magnitude <= 1, "\(figures)")
    #expect(field.mean.magnitude <= 0.3, "\(figures)")
  }

  @Test(
    "a loudspeaker at one direction has the same level in each layout within 0.1 dB",
    arguments: TestedSet.here)
  func oneSpeakerIsEquallyLoudInEveryLayout(set: TestedSet) throws {
    let hrtf = try set.load()
    var levels: [Direction: [Double]] = [:]
    for name in LevelTests.layouts {
      let layout = Render.format(name).layout
      for (index, speaker) in layout.speakers.enumerated() where !speaker.isLFE {
        let ears = try Render.impulse(speaker, in: name, hrtf).ears
        let level = 10 * log10(Render.energy(ears[0]) + Render.energy(ears[1]))
        levels[layout.direction(at: index), default: []].append(level)
      }
    }
    for (direction, found) in levels {
      let spread = (found.max() ?? 0) - (found.min() ?? 0)
      QualityRecord.add("one channel's level over layouts", set.rawValue, spread)
      #expect(spread <= 0.1, "\(direction.label): \(spread) dB")
    }
    #expect(levels.values.contains { $0.count > 3 })
  }

  @Test(
    "uncorrelated pink noise in all channels has the same gain in each layout within 1 dB",
    arguments: TestedSet.here)
  func uncorrelatedNoiseIsEquallyLoudInEveryLayout(set: TestedSet) throws {
    let hrtf = try set.load()
    let gains = try LevelTests.layouts.map { name -> Double in
      let format = Render.format(name)
      let bank = try BedFilters(hrtf, format, SceneOptions(lfeGainDB: nil))
      let mains = format.layout.speakers.indices.filter { !format.layout.speakers[$0].isLFE }
      // Pink noise from 50 Hz to 16 kHz: every third of an octave counts the same.
      var sum = 0.0
      for channel in mains {
        for step in 0...25 {
          let frequency = 50 * pow(2, Double(step) / 3)
          sum += Render.power(bank.left[channel], at: frequency, rate: 48000)
          sum += Render.power(bank.right[channel], at: frequency, rate: 48000)
        }
      }
      return 10 * log10(sum / Double(2 * 26 * mains.count))
    }
    let spread = (gains.max() ?? 0) - (gains.min() ?? 0)
    QualityRecord.add("noise gain over layouts", set.rawValue, spread)
    #expect(spread <= 1, "\(zip(LevelTests.layouts, gains).map { "\($0) \($1)" })")
  }

  @Test(
    "LFE is 10 dB above the centre at 30 and 60 Hz, below −45 dB at 1 kHz, with its peak at the latency",
    arguments: [44100, 48000, 96000, 192_000], TestedSet.here)
  func lfeIsTenDecibelsUpLowPassedAndAligned(rate: Int, set: TestedSet) throws {
    let hrtf = try set.load()
    let front = try Render.impulse(.frontCenter, in: "5.1", hrtf, rate: rate)
    let lfe = try Render.impulse(.lowFrequency, in: "5.1", hrtf, rate: rate)
    #expect(lfe.ears[0] == lfe.ears[1])
    func gain(_ frequency: Double) -> Double {
      10
        * log10(
          Render.power(lfe.ears[0], at: frequency, rate: rate)
            / Render.power(front.ears[0], at: frequency, rate: rate))
    }
    for frequency in [30.0, 60] {
      QualityRecord.add("LFE above a main channel", set.rawValue, gain(frequency))
    }
    #expect((gain(60) - 10).magnitude <= 0.5, "60 Hz: \(gain(60)) dB")
    #expect((gain(30) - 10).magnitude <= 0.5, "30 Hz: \(gain(30)) dB")
    #expect((gain(120) - 4).magnitude <= 1, "120 Hz: \(gain(120)) dB")
    #expect(gain(1000) < -45, "1 kHz: \(gain(1000)) dB")
    let peak = lfe.ears[0].indices.max { lfe.ears[0][$0] < lfe.ears[0][$1] }
    if let peak {
      QualityRecord.add("LFE alignment", set.rawValue, Double(peak - lfe.latency))
    }
    #expect(peak == lfe.latency)
  }

  @Test("an LFE gain of 0 dB lowers LFE by 10 dB, and none silences it")
  func lfeCanBeChangedAndDropped() throws {
    let hrtf = try HRTFSet.builtIn()
    let full = try Render.impulse(.lowFrequency, in: "5.1", hrtf).ears[0]
    let equal = try Render.impulse(
      .lowFrequency, in: "5.1", hrtf, options: SceneOptions(lfeGainDB: 0)
    ).ears[0]
    let change = 10 * log10(Render.energy(full) / Render.energy(equal))
    #expect((change - 10).magnitude < 0.001)
    let dropped = try Render.impulse(
      .lowFrequency, in: "5.1", hrtf, options: SceneOptions(lfeGainDB: nil)
    ).ears[0]
    #expect(dropped.allSatisfy { $0 == 0 }, "energy \(Render.energy(dropped))")
  }
}
