// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

@Suite struct TruePeakLimiterTests {
  static let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  /// Programmes that need limiting at +12 dB, by name.
  static func hot(_ name: String, rate: Int = 48_000) -> [[Float]] {
    var noise = SeededNoise(seed: 77)
    let count = rate * 2
    switch name {
    case "white": return [noise.samples(count, peak: 0.9), noise.samples(count, peak: 0.5)]
    case "noise":
      // Up to 0.455 of the rate, 21.8 kHz at 48 kHz.
      return [0.9, 0.5].map { Signal.lowPass(noise.samples(count, peak: $0), cutoff: 0.42) }
    case "programme":
      return [1, 2].map { Signal.programme(seconds: 3, rate: rate, seed: $0, peak: 0.9) }
    case "clicks":
      var plane = noise.samples(count, peak: 0.01)
      for index in stride(from: 500, to: count, by: 7001) { plane[index] = 0.9 }
      for index in stride(from: 900, to: count, by: 9001) { plane[index] = -1 }
      return [plane, noise.samples(count, peak: 0.02)]
    case "square":
      let wave = (0..<count).map { ($0 / 60) % 2 == 0 ? Float(0.7) : -0.7 }
      return [wave, wave]
    default:
      // A tone near the band edge that crosses zero at most samples.
      let tone = Signal.tone(
        -1, seconds: 2, frequency: 0.249 * Double(rate), rate: rate, phase: .pi / 4)
      return [tone, Signal.tone(-2, seconds: 2, frequency: 40, rate: rate)]
    }
  }

  @Test(
    "five kinds of sound, limited to -1 dBTP, have at most -0.95 dBTP by libebur128 and a slow meter",
    arguments: ["noise", "programme", "clicks", "square", "tones"])
  func holdsTheTruePeakByTwoOtherMeters(name: String) throws {
    let planes = Self.hot(name)
    let limiter = TruePeakLimiter(gainDB: 12, ceilingDB: -1)
    let output = try Signal.run(limiter, planes, format: Self.stereo)
    let oracle = try #require(Oracle(output, format: Self.stereo))
    #expect(oracle.truePeak <= -0.95)
    #expect(Signal.decibels(Signal.slowPeak(output)) <= -0.95)
    // The limiter works, and no more than it must.
    #expect(oracle.truePeak > -2)
    #expect(limiter.maxReductionDB > 3)
    #expect(limiter.activeSamples > 0 && limiter.activeSamples <= Int64(planes[0].count))
  }

  @Test(
    "white noise limited to -1 dBTP has at most -0.95 dBTP by libebur128, -0.4 dBTP by a slow meter"
  )
  func holdsTheTruePeakOfWhiteNoiseByLibebur128() throws {
    let limiter = TruePeakLimiter(gainDB: 12, ceilingDB: -1)
    let output = try Signal.run(limiter, Self.hot("white"), format: Self.stereo)
    #expect(try #require(Oracle(output, format: Self.stereo)).truePeak <= -0.95)
    // At the band edge interpolators differ, so the slow one may find a slightly higher peak.
    #expect(Signal.decibels(Signal.slowPeak(output)) <= -0.4)
  }

  @Test(
    "a ceiling of -3 dBTP is held within 0.05 dB at rates from 8 to 384 kHz",
    arguments: [8_000, 44_100, 96_000, 192_000, 384_000])
  func holdsTheTruePeakAtEveryRate(rate: Int) throws {
    let planes = Self.hot("programme", rate: rate).map { Array($0.prefix(100_000)) }
    let format = AudioFormat(sampleRate: rate, layout: .stereo)
    let limiter = TruePeakLimiter(gainDB: 9, ceilingDB: -3)
    let output = try Signal.run(limiter, planes, format: format)
    #expect(try #require(try Signal.measure(output, format: format).truePeak) <= -2.97)
    #expect(try #require(Oracle(output, format: format)).truePeak <= -2.95)
    #expect(limiter.maxReductionDB > 1)
    let lookAhead = Double(limiter.latency - PeakGainDetector.reach - GainEnvelope.hold)
    if rate >= 44_100 { #expect((lookAhead / Double(rate) - 0.005).magnitude < 0.0002) }
  }

  @Test(
    "the limiter's output has the same bits for every block size",
    arguments: ["noise", "programme", "clicks"])
  func blockSizeDoesNotMatter(name: String) throws {
    let planes = Self.hot(name).map { Array($0.prefix(30_000)) }
    let difference = try StageVerifier.firstDifference(format: Self.stereo, signal: planes) {
      TruePeakLimiter(gainDB: 6, ceilingDB: -1)
    }
    #expect(difference == nil)
  }

  @Test(
    "an idle limiter delays by its latency and applies the gain to the bit",
    arguments: [0, 1, 50, 1000, 1023, 1024, 1025, 40_000])
  func idleIsTheGainBitForBitAndLatencyIsExact(count: Int) throws {
    var noise = SeededNoise(seed: 5)
    let planes = [noise.samples(count, peak: 0.3), noise.samples(count, peak: 0.3)]
    let limiter = TruePeakLimiter(gainDB: -2.5, ceilingDB: -1)
    let output = try StageVerifier.run(
      limiter, format: Self.stereo, signal: planes, blockSize: 333)
    let gain = Float(Signal.ratio(-2.5))
    for (plane, limited) in zip(planes, output) {
      #expect(limited.count == count + limiter.latency)
      #expect(limited.prefix(limiter.latency).allSatisfy { $0 == 0 })
      #expect(Array(limited.dropFirst(limiter.latency)) == plane.map { $0 * gain })
    }
    #expect(limiter.maxReductionDB == 0 && limiter.activeSamples == 0)
    let plain = try Signal.run(GainStage(gainDB: -2.5), planes, format: Self.stereo)
    #expect(plain == output.map { Array($0.dropFirst(limiter.latency)) })
  }

  @Test(
    "one click is lowered to the ceiling, and 29,000 samples after it the gain is exactly 1 again")
  func oneClickIsReducedToTheCeilingAndReleasedExactly() throws {
    var plane = [Float](repeating: 0.25, count: 96_000)
    plane[20_000] = 2
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let limiter = TruePeakLimiter(gainDB: 0, ceilingDB: 0)
    let output = try Signal.run(limiter, [plane], format: format)[0]
    #expect((limiter.maxReductionDB - 6.02).magnitude < 0.3)
    #expect(output[20_000] <= 1 && output[20_000] > 0.95)
    // Untouched before the look-ahead and after the release, which ends within 0.6 s.
    #expect(output[..<19_700].allSatisfy { $0 == 0.25 })
    #expect(output[49_000...].allSatisfy { $0 == 0.25 })
    // The attack and the release are monotonic: no pumping.
    #expect(zip(output[19_700..<19_999], output[19_701...]).allSatisfy { $0 >= $1 })
    #expect(zip(output[20_100..<49_000], output[20_101...]).allSatisfy { $0 <= $1 })
    let reduced = output.indices.filter { $0 != 20_000 && output[$0] != 0.25 }.count
    #expect((limiter.activeSamples - Int64(reduced)).magnitude <= 100)
  }

  @Test("a loud and a steady channel get one gain from the limiter, within 1e-5")
  func channelsShareOneGain() throws {
    let loud = Signal.programme(seconds: 1, rate: 48_000, seed: 4, peak: 1)
    let steady = [Float](repeating: 0.125, count: loud.count)
    let output = try Signal.run(
      TruePeakLimiter(gainDB: 6, ceilingDB: -1), [loud, steady], format: Self.stereo)
    let gain = Float(Signal.ratio(6))
    var reduced = 0
    for index in loud.indices where loud[index].magnitude > 0.01 {
      let first = output[0][index] / (loud[index] * gain)
      let second = output[1][index] / (0.125 * gain)
      #expect((first - second).magnitude < 1e-5)
      if second < 0.9 { reduced += 1 }
    }
    #expect(reduced > 100)
  }

  @Test(
    "the gain envelope is the plain computation's within 1e-6, and never exceeds a required gain",
    arguments: [3 as UInt64, 9])
  func envelopeIsThePlainComputation(seed: UInt64) {
    var noise = SeededNoise(seed: seed)
    let one = PeakGainDetector.one
    let gains = (0..<30_000).map { index -> Int64 in
      guard index % 997 == 0, index < 15_000 else { return one }
      return Int64.random(in: one / 8..<one, using: &noise)
    }
    var envelope = GainEnvelope(sampleRate: 8_000, response: .gentle)
    var fast = gains
    fast.withUnsafeMutableBufferPointer { fast in
      guard let base = fast.baseAddress else { return }
      for start in stride(from: 0, to: 30_000, by: 1000) { envelope.run(base + start, count: 1000) }
    }
    let slow = plainEnvelope(gains, rate: 8_000)
    for (index, wanted) in slow.enumerated() {
      #expect((Double(fast[index]) / Double(envelope.full) - wanted).magnitude < 1e-6)
    }
    // No required gain is ever exceeded where it applies, nor around it.
    for index in 0..<(30_000 - envelope.delay) {
      let applied = Double(fast[index + envelope.delay]) / Double(envelope.full)
      let around = gains[max(0, index - 24)...min(29_999, index + 24)].min() ?? one
      #expect(applied <= Double(around) / Double(one))
    }
    #expect(envelope.isIdle && fast[29_999] == envelope.full)
  }

  /// Minimum, release and triangular average in Double, straight from their definitions.
  private func plainEnvelope(_ gains: [Int64], rate: Int) -> [Double] {
    let half = max(8, rate / 400)
    let width = 2 * half - 1 + 2 * GainEnvelope.hold
    let step = 1 - exp(-1 / (0.1 * Double(rate)))
    var gain = 1.0
    let released = gains.indices.map { index -> Double in
      let window = gains[max(0, index - width + 1)...index]
      let wanted = Double(window.min() ?? 0) / Double(PeakGainDetector.one)
      gain = min(wanted, min(1, gain + (1 + 1.0 / 128 - gain) * step))
      return gain
    }
    let triangle = (0..<2 * half - 1).map { Double(min($0 + 1, 2 * half - 1 - $0)) }
    return released.indices.map { index in
      let sum = triangle.enumerated().reduce(0.0) { sum, tap in
        sum + tap.element * (index >= tap.offset ? released[index - tap.offset] : 1)
      }
      return sum / Double(half * half)
    }
  }

  @Test("each of 1 to 24 channels passes an idle limiter and a gain as it does alone")
  func channelsDontDependOnEachOther() throws {
    let limited = try ChannelCounts.firstThatDiffers { _ in
      TruePeakLimiter(gainDB: 3, ceilingDB: -1)
    }
    #expect(limited == nil)
    #expect(try ChannelCounts.firstThatDiffers { _ in GainStage(gainDB: 3) } == nil)
  }

  @Test("the limiter holds -1 dBTP whichever of 1 to 24 channels is loud")
  func everyChannelIsLimited() throws {
    let loud = Signal.tone(-1, seconds: 0.1, frequency: 997)
    for count in ChannelCounts.all {
      let format = AudioFormat(sampleRate: 48_000, layout: ChannelCounts.layout(count))
      for place in 0..<count {
        var planes = [[Float]](
          repeating: [Float](repeating: 0.1, count: loud.count), count: count)
        planes[place] = loud
        let output = try Signal.run(
          TruePeakLimiter(gainDB: 6, ceilingDB: -1), planes, format: format, block: 480)
        let peak = output[place].map(\.magnitude).max() ?? 0
        #expect(peak < 0.8914 && peak > 0.7, "channel \(place + 1) of \(count)")
        // Of 0.2, the other channels keep the half that the loud one keeps of its 5 dB over full scale.
        let others = output.indices.filter { $0 != place }.map { output[$0][2400] }
        #expect(others.allSatisfy { abs($0 - 0.1) < 0.01 }, "channel \(place + 1) of \(count)")
      }
    }
  }

  @Test("the limiter refuses other channel counts and values that aren't finite")
  func refusesWhatItCantProcess() throws {
    let limiter = TruePeakLimiter(gainDB: 0, ceilingDB: -1)
    #expect(throws: MediaError.self) {
      try Signal.run(
        limiter, [[0, .nan, 0]], format: AudioFormat(sampleRate: 48_000, layout: .mono))
    }
    #expect(throws: MediaError.self) {
      try TruePeakLimiter(gainDB: 0, ceilingDB: -1).prepare(
        AudioFormat(sampleRate: 1000, layout: .mono))
    }
    #expect(throws: MediaError.self) {
      try TruePeakLimiter(gainDB: .nan, ceilingDB: -1).prepare(Self.stereo)
    }
  }
}
