// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct BinauralRendererTests {
  /// Fronts at ±45°, the left one raised. A text that couldn't be read would leave none, which the test sees.
  private static let wide = (try? SpeakerPositions(parsing: "L=45/10,R=-45")) ?? .standard

  private func noise(_ channels: Int, _ frames: Int, seed: UInt64 = 7) -> [[Float]] {
    var source = SeededNoise(seed: seed)
    return (0..<channels).map { _ in source.samples(frames, peak: 0.5) }
  }

  @Test(
    "a binaural rendering with its tail equals direct convolution within −136 dB",
    .tags(.slow), .fullRunOnly, arguments: ["mono", "stereo", "5.1", "7.1.4", "22.2"],
    TestedSet.here)
  func matchesDirectConvolutionTailIncluded(layout: String, set: TestedSet) throws {
    let hrtf = try set.load()
    let format = Render.format(layout)
    let bank = try BedFilters(hrtf, format, SceneOptions())
    let signal = noise(format.channels, 15000)
    let ears = try Render.all(signal, format, hrtf)
    for (ear, filters) in [bank.left, bank.right].enumerated() {
      let expected = Render.direct(signal, filters)
      #expect(ears[ear].count == expected.count)
      let error = Render.difference(ears[ear].map(Double.init), expected)
      QualityRecord.add("null against direct convolution", set.rawValue, error)
      #expect(error <= -136, "\(layout), ear \(ear): \(error) dB")
    }
  }

  @Test(
    "a bed under poses, at other places, in rooms and for loudspeakers equals direct convolution within −130 dB",
    arguments: [
      SceneOptions(pose: HeadPose(yaw: 33, pitch: -12, roll: 7)), SceneOptions(lfeGainDB: nil),
      SceneOptions(positions: BinauralRendererTests.wide), SceneOptions(room: .small),
      SceneOptions(pose: HeadPose(yaw: -70), room: .medium), SceneOptions(span: 24),
      SceneOptions(positions: BinauralRendererTests.wide, span: 40),
    ])
  func eachOptionMatchesDirectConvolution(options: SceneOptions) throws {
    #expect(BinauralRendererTests.wide.entries.count == 2)
    let hrtf = try HRTFSet.builtIn()
    let format = Render.format("5.1")
    let bank = try BedFilters(hrtf, format, options)
    let signal = noise(6, 3000)
    let ears = try Render.all(signal, format, hrtf, options: options)
    for (ear, filters) in [bank.left, bank.right].enumerated() {
      let expected = Render.direct(signal, filters)
      #expect(ears[ear].count == expected.count)
      let error = Render.difference(ears[ear].map(Double.init), expected)
      #expect(error <= -130, "ear \(ear): \(error) dB")
    }
  }

  @Test(
    "a binaural rendering has the same bits for blocks of any size",
    arguments: ["mono", "5.1", "22.2"])
  func outputDoesNotDependOnBlockSize(layout: String) throws {
    let hrtf = try HRTFSet.builtIn()
    let format = Render.format(layout)
    let difference = try StageVerifier.firstDifference(
      format: format, signal: noise(format.channels, 20000),
      make: { BedStage(hrtf: hrtf) })
    #expect(difference == nil)
  }

  @Test(
    "the binaural renderer emits the input's frames plus latency plus tail",
    arguments: [1, 2, 255, 3745, 3746, 8193])
  func emitsInputPlusLatencyPlusTail(frames: Int) throws {
    let hrtf = try HRTFSet.builtIn()
    for layout in ["stereo", "5.1"] {
      let format = Render.format(layout)
      let stage = BedStage(hrtf: hrtf)
      let ears = try StageVerifier.run(
        stage, format: format, signal: noise(format.channels, frames), blockSize: 64)
      #expect(ears.map(\.count) == [Int](repeating: frames + stage.latency + stage.tail, count: 2))
      #expect(ears[0].allSatisfy { $0.isFinite })
    }
  }

  @Test(
    "the onset of a frontal impulse lies at the latency, and both ears have equal bits",
    arguments: [8000, 44100, 48000, 96000, 192_000, 384_000], TestedSet.here)
  func frontalOnsetIsExactlyAtTheLatency(rate: Int, set: TestedSet) throws {
    let hrtf = try set.load()
    for layout in ["mono", "5.1"] {
      let front = try Render.impulse(.frontCenter, in: layout, hrtf, rate: rate)
      // Left and right are equal to the last bit, in the filters and in the output.
      let bank = try BedFilters(hrtf, Render.format(layout, rate: rate), SceneOptions())
      let center = Render.format(layout).layout.speakers.firstIndex(of: .frontCenter) ?? 0
      #expect(zip(bank.left[center], bank.right[center]).allSatisfy { $0 == $1 })
      #expect(front.ears[0] == front.ears[1], "\(layout) at \(rate)")
      let measured = Render.onset(front.ears[0], rate: rate) - Double(front.latency)
      // At low rates the narrower band has a slightly different minimum-phase version.
      let unit = max(1, Double(rate) / 48000)
      let limit = rate < 16000 ? 0.5 : 0.05 * unit
      if rate >= 16000 { QualityRecord.add("latency left", set.rawValue, measured / unit) }
      #expect(measured.magnitude <= limit, "\(layout) at \(rate): \(measured) samples off")
    }
  }

  @Test("the latency of 5.1 is 72 samples without LFE and 1000 with it")
  func latencyIsShortWithoutLFE() throws {
    let hrtf = try HRTFSet.builtIn()
    let stage = BedStage(hrtf: hrtf, options: SceneOptions(lfeGainDB: nil))
    _ = try stage.prepare(Render.format("5.1"))
    #expect(stage.latency == 72)
    let boosted = BedStage(hrtf: hrtf)
    _ = try boosted.prepare(Render.format("5.1"))
    #expect(boosted.latency == 1000)
  }

  @Test("mirrored loudspeakers of 22.2 mirror the ears within −120 dB", arguments: TestedSet.here)
  func leftAndRightMirrorEachOther(set: TestedSet) throws {
    let hrtf = try set.load()
    let pairs: [(Speaker, Speaker)] = [
      (.frontLeft, .frontRight), (.sideLeft, .sideRight), (.backLeft, .backRight),
      (.topFrontLeft, .topFrontRight), (.bottomFrontLeft, .bottomFrontRight),
    ]
    for (left, right) in pairs {
      let one = try Render.impulse(left, in: "22.2", hrtf).ears
      let other = try Render.impulse(right, in: "22.2", hrtf).ears
      for ear in 0..<2 {
        let error = Render.difference(one[ear], other[1 - ear])
        // Equal bits have no level; −300 dB stands for them.
        QualityRecord.add("left/right mirror", set.rawValue, max(-300, error))
        #expect(error <= -120, "\(left.name): \(error) dB")
      }
      #expect(Render.energy(one[0]) > 1.5 * Render.energy(one[1]), "\(left.name) isn't left")
    }
    for median in [Speaker.backCenter, .topCenter, .topFrontCenter, .bottomFrontCenter] {
      let ears = try Render.impulse(median, in: "22.2", hrtf).ears
      #expect(Render.difference(ears[0], ears[1]) <= -120)
    }
  }

  @Test(
    "responses of 22.2 have less than −40 dB in the first 14 taps and −28 dB in the last millisecond"
  )
  func nothingOfAResponseIsCutInFront() throws {
    let hrtf = try HRTFSet.builtIn()
    for speaker in ChannelLayout(name: "22.2")?.speakers ?? [] {
      let ears = try Render.impulse(
        speaker, in: "22.2", hrtf, options: SceneOptions(lfeGainDB: nil)
      ).ears
      for taps in ears where !speaker.isLFE {
        let early = 10 * log10(Render.energy(Array(taps[0..<14])) / Render.energy(taps))
        let late = 10 * log10(Render.energy(taps.suffix(48)) / Render.energy(taps))
        #expect(early < -40, "\(speaker.name): \(early) dB before the window's rise ends")
        #expect(late < -28, "\(speaker.name): \(late) dB in the last millisecond")
      }
    }
  }

  @Test(
    "a front left response has the level of 48 kHz at other rates within 0.15 dB",
    arguments: [16000, 32000, 44100, 96000, 192_000])
  func responseIsTheSameAtOtherRates(rate: Int) throws {
    let hrtf = try HRTFSet.builtIn()
    let here = try Render.impulse(.frontLeft, in: "stereo", hrtf)
    let there = try Render.impulse(.frontLeft, in: "stereo", hrtf, rate: rate)
    for frequency in [100.0, 300, 1000, 3000, 8000, 15000]
    where frequency < 0.43 * Double(rate) {
      for ear in 0..<2 {
        let a = Render.power(here.ears[ear], at: frequency, rate: 48000)
        let b = Render.power(there.ears[ear], at: frequency, rate: rate)
        let gap = 10 * log10(a / b)
        #expect(gap.magnitude < 0.15, "\(frequency) Hz at \(rate), ear \(ear): \(gap) dB")
      }
    }
  }

  @Test(
    "rates of 0, 7999 and 384,001 Hz and an LFE gain of NaN are refused by the binaural renderer")
  func refusesWhatItCannotRender() throws {
    let hrtf = try HRTFSet.builtIn()
    for rate in [0, 7999, 384_001] {
      let error = #expect(throws: MediaError.self) {
        try BedStage(hrtf: hrtf).prepare(Render.format("stereo", rate: rate))
      }
      #expect(error?.kind == .unsupportedFeature)
    }
    let stage = BedStage(hrtf: hrtf, options: SceneOptions(lfeGainDB: .nan))
    let error = #expect(throws: MediaError.self) { try stage.prepare(Render.format("5.1")) }
    #expect(error?.kind == .usage)
  }

  @Test("an empty input gives no binaural output")
  func emptyInputGivesNoOutput() throws {
    let hrtf = try HRTFSet.builtIn()
    let ears = try Render.all([[], []], Render.format("stereo"), hrtf)
    #expect(ears.allSatisfy { $0.isEmpty })
  }
}
