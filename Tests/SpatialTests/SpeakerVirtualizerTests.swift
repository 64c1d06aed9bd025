// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct SpeakerVirtualizerTests {
  private func noise(_ channels: Int, _ frames: Int, seed: UInt64 = 11) -> [[Float]] {
    var source = SeededNoise(seed: seed)
    return (0..<channels).map { _ in source.samples(frames, peak: 0.5) }
  }

  /// Both loudspeakers for an impulse in the channel of `speaker`, and the stage's latency.
  private func impulse(
    _ speaker: Speaker, in layout: String, _ hrtf: HRTFSet, rate: Int = 48000,
    options: SceneOptions = SceneOptions(span: 20)
  ) throws -> (feeds: [[Double]], latency: Int) {
    let format = Render.format(layout, rate: rate)
    var signal = [[Float]](repeating: [0], count: format.channels)
    if let index = format.layout.speakers.firstIndex(of: speaker) { signal[index][0] = 1 }
    let stage = BedStage(hrtf: hrtf, options: options)
    let feeds = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    return (feeds.map { $0.map(Double.init) }, stage.latency)
  }

  @Test(
    "a loudspeaker rendering with its tail equals direct convolution within −136 dB", .tags(.slow),
    .fullRunOnly, arguments: ["mono", "stereo", "5.1", "22.2"], TestedSet.here)
  func matchesDirectConvolutionTailIncluded(layout: String, set: TestedSet) throws {
    let hrtf = try set.load()
    let format = Render.format(layout)
    let bank = try BedFilters(hrtf, format, SceneOptions(span: 20))
    let signal = noise(format.channels, layout == "22.2" ? 9000 : 20000)
    let stage = BedStage(hrtf: hrtf, options: SceneOptions(span: 20))
    let feeds = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    for (side, filters) in [bank.left, bank.right].enumerated() {
      let expected = Render.direct(signal, filters)
      #expect(feeds[side].count == expected.count)
      let error = Render.difference(feeds[side].map(Double.init), expected)
      QualityRecord.add("null, loudspeakers", set.rawValue, error)
      #expect(error <= -136, "\(layout), side \(side): \(error) dB")
    }
  }

  /// The combined filters equal the binaural filters followed by the canceller.
  @Test("loudspeaker filters equal binaural ones through the canceller within −140 dB")
  func filtersAreBinauralOnesThroughTheCanceller() throws {
    let hrtf = try HRTFSet.builtIn()
    let format = Render.format("5.1")
    let ears = try BedFilters(hrtf, format, SceneOptions())
    let speakers = try BedFilters(hrtf, format, SceneOptions(span: 30))
    let canceller = CrosstalkCanceller(
      HRIRDesigner(hrtf, rate: 48000), span: 30, rate: 48000, bandwidth: 22050)
    for channel in [0, 2, 5] {
      let trim = ears.latency - ears.lead
      let start = speakers.latency - speakers.lead
      let pair = [ears.left, ears.right].map {
        $0[channel][trim..<trim + ears.mainLength].map { Float($0) }
      }
      let left = Render.direct(pair, [canceller.taps[0], canceller.taps[1]])
      let right = Render.direct(pair, [canceller.taps[2], canceller.taps[3]])
      #expect(
        Render.difference(Array(speakers.left[channel][start..<start + left.count]), left) < -140)
      #expect(
        Render.difference(Array(speakers.right[channel][start..<start + right.count]), right) < -140
      )
    }
  }

  @Test(
    "a loudspeaker virtualizer has the same bits for blocks of any size",
    arguments: ["mono", "5.1", "22.2"])
  func outputDoesNotDependOnBlockSize(layout: String) throws {
    let hrtf = try HRTFSet.builtIn()
    let format = Render.format(layout)
    let difference = try StageVerifier.firstDifference(
      format: format, signal: noise(format.channels, 40000),
      make: { BedStage(hrtf: hrtf, options: SceneOptions(span: 20)) })
    #expect(difference == nil)
  }

  @Test(
    "the virtualizer emits input plus latency plus tail: 1000 and 1000 for 5.1, 792 and 975 for stereo",
    arguments: [1, 14617, 14618])
  func emitsInputPlusLatencyPlusTail(frames: Int) throws {
    let hrtf = try HRTFSet.builtIn()
    for layout in ["stereo", "5.1"] {
      let format = Render.format(layout)
      let stage = BedStage(hrtf: hrtf, options: SceneOptions(span: 20))
      let feeds = try StageVerifier.run(
        stage, format: format, signal: noise(format.channels, frames), blockSize: 480)
      #expect(feeds.map(\.count) == [Int](repeating: frames + stage.latency + stage.tail, count: 2))
      #expect(stage.latency == (layout == "5.1" ? 1000 : 792))
      #expect(stage.tail == (layout == "5.1" ? 1000 : 975))
    }
  }

  /// At the design head's ears a centred sound arrives at the latency, as it does for headphones.
  @Test(
    "a centred sound through loudspeakers reaches the ears at the latency within 0.05 samples",
    arguments: [8000, 44100, 48000, 96000, 384_000])
  func onsetAtTheEarsIsExactlyAtTheLatency(rate: Int) throws {
    let hrtf = try HRTFSet.builtIn()
    let designer = HRIRDesigner(hrtf, rate: rate)
    let near = designer.pair(for: Direction(azimuth: 10)).left
    let far = designer.pair(for: Direction(azimuth: -10)).left
    for layout in ["mono", "5.1"] {
      let center = try impulse(.frontCenter, in: layout, hrtf, rate: rate)
      let headphones = try Render.impulse(.frontCenter, in: layout, hrtf, rate: rate)
      let fft = DoubleFFT(length: center.feeds[0].count + near.count)
      var ear = Render.spectrum(center.feeds[0], fft).multiplied(by: Render.spectrum(near, fft))
      let other = Render.spectrum(center.feeds[1], fft).multiplied(by: Render.spectrum(far, fft))
      let width = Double(rate) / Double(fft.length)
      for bin in ear.re.indices {
        ear.re[bin] += other.re[bin]
        ear.im[bin] += other.im[bin]
        // Only between the canceller's fades do the ears get the same signal as from headphones.
        guard !(300...min(7000, 0.3 * Double(rate))).contains(Double(bin) * width) else { continue }
        ear.re[bin] = 0
        ear.im[bin] = 0
      }
      let lag = CorrelationPeak.lag(
        of: ear, behind: Render.spectrum(headphones.ears[0], fft), fft)
      let wanted = Double(center.latency - headphones.latency + designer.lead)
      #expect((lag - wanted).magnitude <= 0.05 * max(1, Double(rate) / 48000))
    }
  }

  @Test("mirrored channels of 22.2 mirror the loudspeakers' feeds within −120 dB")
  func leftAndRightMirrorEachOther() throws {
    let hrtf = try HRTFSet.builtIn()
    for (left, right) in [
      (Speaker.frontLeft, Speaker.frontRight), (.sideLeft, .sideRight), (.backLeft, .backRight),
      (.topFrontLeft, .topFrontRight), (.bottomFrontLeft, .bottomFrontRight),
    ] {
      let one = try impulse(left, in: "22.2", hrtf).feeds
      let other = try impulse(right, in: "22.2", hrtf).feeds
      for side in 0..<2 {
        let error = Render.difference(one[side], other[1 - side])
        #expect(error <= -120, "\(left.name): \(error) dB")
      }
    }
    for median in [Speaker.frontCenter, .backCenter, .topCenter] {
      let feeds = try impulse(median, in: "22.2", hrtf).feeds
      #expect(Render.difference(feeds[0], feeds[1]) <= -120)
    }
  }

  @Test("a direction through loudspeakers has the same level in each layout within 0.1 dB")
  func oneSpeakerIsEquallyLoudInEveryLayout() throws {
    let hrtf = try HRTFSet.builtIn()
    var levels: [Direction: [Double]] = [:]
    for name in ["mono", "stereo", "5.1", "7.1", "5.1.4", "7.1.4", "22.2"] {
      let layout = Render.format(name).layout
      for (index, speaker) in layout.speakers.enumerated() where !speaker.isLFE {
        let feeds = try impulse(speaker, in: name, hrtf).feeds
        let level = 10 * log10(Render.energy(feeds[0]) + Render.energy(feeds[1]))
        levels[layout.direction(at: index), default: []].append(level)
      }
    }
    for (direction, found) in levels {
      let spread = (found.max() ?? 0) - (found.min() ?? 0)
      #expect(spread <= 0.1, "\(direction.label): \(spread) dB")
    }
    #expect(levels.values.contains { $0.count > 3 })
  }

  @Test(
    "LFE for loudspeakers is 10 dB above the centre, equal on both sides and peaks at the latency",
    arguments: [44100, 48000, 96000])
  func lfeIsTenDecibelsUpEqualAndAligned(rate: Int) throws {
    let hrtf = try HRTFSet.builtIn()
    let front = try impulse(.frontCenter, in: "5.1", hrtf, rate: rate)
    let lfe = try impulse(.lowFrequency, in: "5.1", hrtf, rate: rate)
    #expect(lfe.feeds[0] == lfe.feeds[1])
    for frequency in [30.0, 60] {
      let gain =
        10
        * log10(
          Render.power(lfe.feeds[0], at: frequency, rate: rate)
            / Render.power(front.feeds[0], at: frequency, rate: rate))
      #expect((gain - 10).magnitude <= 0.5, "\(frequency) Hz: \(gain) dB")
    }
    let peak = lfe.feeds[0].indices.max { lfe.feeds[0][$0] < lfe.feeds[0][$1] }
    #expect(peak == lfe.latency)
    let dropped = try impulse(
      .lowFrequency, in: "5.1", hrtf, options: SceneOptions(lfeGainDB: nil, span: 20)
    ).feeds[0]
    #expect(dropped.allSatisfy { $0 == 0 })
  }

  @Test(
    "spans of 9°, 61° and NaN, an LFE gain of 31 dB and rates of 7999 and 384,001 Hz are refused")
  func refusesWhatItCannotRender() throws {
    let hrtf = try HRTFSet.builtIn()
    for (options, rate, kind) in [
      (SceneOptions(span: 9), 48000, MediaError.Kind.usage),
      (SceneOptions(span: 61), 48000, .usage),
      (SceneOptions(span: .nan), 48000, .usage),
      (SceneOptions(lfeGainDB: 31, span: 20), 48000, .usage),
      (SceneOptions(span: 20), 7999, .unsupportedFeature),
      (SceneOptions(span: 20), 384_001, .unsupportedFeature),
    ] {
      let error = #expect(throws: MediaError.self) {
        try BedStage(hrtf: hrtf, options: options)
          .prepare(Render.format("5.1", rate: rate))
      }
      #expect(error?.kind == kind)
    }
  }

  @Test("an empty input gives no output for loudspeakers")
  func emptyInputGivesNoOutput() throws {
    let stage = BedStage(hrtf: try HRTFSet.builtIn(), options: SceneOptions(span: 20))
    let feeds = try StageVerifier.run(
      stage, format: Render.format("5.1"), signal: [[Float]](repeating: [], count: 6), blockSize: 0)
    #expect(feeds.allSatisfy { $0.isEmpty })
  }
}
