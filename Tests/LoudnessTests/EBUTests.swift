// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// Minimum requirements of EBU Tech 3341 and Tech 3342, on signals synthesised as they say.
@Suite struct EBUTests {
  static let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  private func measure(_ mono: [Float]) throws -> LoudnessMeasurement {
    try Signal.measure([mono, mono], format: Self.stereo)
  }

  private func steps(_ parts: [(Double, Double)]) -> [Float] {
    parts.flatMap { Signal.tone($0.0, seconds: $0.1) }
  }

  private func near(_ value: Double?, _ wanted: Double, _ tolerance: Double = 0.1) -> Bool {
    guard let value else { return false }
    return (value - wanted).magnitude <= tolerance
  }

  @Test(
    "a steady tone at -23 or -33 LUFS reads that level within 0.1 LU (Tech 3341, cases 1 and 2)",
    arguments: [-23.0, -33.0])
  func tech3341Cases1And2(level: Double) throws {
    let result = try measure(steps([(level, 20)]))
    #expect(near(result.integrated, level))
    #expect(near(result.momentaryMax, level))
    #expect(near(result.shortTermMax, level))
  }

  @Test("programmes with quiet parts read -23 LUFS within 0.1 LU (Tech 3341, cases 3 to 5)")
  func tech3341Cases3To5GateQuietParts() throws {
    let third: [(Double, Double)] = [(-36, 10), (-23, 60), (-36, 10)]
    #expect(near(try measure(steps(third)).integrated, -23))
    let fourth: [(Double, Double)] = [(-72, 10)] + third + [(-72, 10)]
    #expect(near(try measure(steps(fourth)).integrated, -23))
    let fifth = steps([(-26, 20), (-20, 20.1), (-26, 20)])
    #expect(near(try measure(fifth).integrated, -23))
  }

  @Test("5.0 with three levels reads -23 LUFS within 0.1 LU (Tech 3341, case 6)")
  func tech3341Case6WeighsSurrounds() throws {
    let layout = try #require(ChannelLayout(name: "5.0"))
    let planes = [-28.0, -28, -24, -30, -30].map { Signal.tone($0, seconds: 20) }
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    #expect(near(try Signal.measure(planes, format: format).integrated, -23))
  }

  @Test("steps of 1.34 and 1.66 s have a short-term maximum of -23 LUFS (Tech 3341, case 9)")
  func tech3341Case9ShortTermIsSteady() throws {
    let cycle: [(Double, Double)] = [(-20, 1.34), (-30, 1.66)]
    let whole = steps((0..<5).flatMap { _ in cycle })
    #expect(near(try measure(whole).shortTermMax, -23))
  }

  @Test("a burst at any of 20 offsets has a maximum of -23 LUFS (Tech 3341, cases 10 and 13)")
  func tech3341Case10And13FindOneBurst() throws {
    for index in 0..<20 {
      let long = Signal.silence(Double(index) * 0.15) + steps([(-23, 3)]) + Signal.silence(1)
      #expect(near(try measure(long).shortTermMax, -23), "case 10, file \(index)")
      let short = Signal.silence(Double(index) * 0.02) + steps([(-23, 0.4)]) + Signal.silence(1)
      #expect(near(try measure(short).momentaryMax, -23), "case 13, file \(index)")
    }
  }

  @Test("steps of 0.18 and 0.22 s have a momentary maximum of -23 LUFS (Tech 3341, case 12)")
  func tech3341Case12MomentaryIsSteady() throws {
    let cycle: [(Double, Double)] = [(-20, 0.18), (-30, 0.22)]
    let whole = steps((0..<25).flatMap { _ in cycle })
    #expect(near(try measure(whole).momentaryMax, -23))
  }

  @Test("bursts that rise by 1 dB move the maximum to their level (Tech 3341, cases 11 and 14)")
  func tech3341Cases11And14FollowRisingBursts() throws {
    var long: [Float] = []
    var short: [Float] = []
    for index in 0..<20 {
      let level = Double(index - 38)
      long += Signal.silence(Double(index) * 0.15) + steps([(level, 3)])
      long += Signal.silence(3 - Double(index) * 0.15)
      #expect(near(try measure(long).shortTermMax, level), "case 11, burst \(index)")
      short += Signal.silence(Double(index) * 0.02) + steps([(level, 0.4)])
      short += Signal.silence(0.4 - Double(index) * 0.02)
      #expect(near(try measure(short).momentaryMax, level), "case 14, burst \(index)")
    }
  }

  /// Fraction of the rate, phase in degrees, amplitude, true peak in dBTP.
  @Test(
    "tones read their true peak within +0.2 and -0.4 dB (Tech 3341, cases 15 to 19)",
    arguments: [
      (4.0, 0.0, 0.5, -6.0), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6),
      (4, 45, 1.41, 3),
    ])
  func tech3341Cases15To19TruePeak(tone: (Double, Double, Double, Double)) throws {
    let samples = Signal.tone(
      Signal.decibels(tone.2), seconds: 1, frequency: 48_000 / tone.0,
      phase: tone.1 * .pi / 180)
    // Faded in: the standard's files don't start with a step.
    let faded = samples.enumerated().map { $1 * min(1, Float($0) / 1000) }
    let held = faded.enumerated().map { $1 * min(1, Float(faded.count - $0) / 1000) }
    let peak = try #require(try measure(held).truePeak)
    #expect(peak <= tone.3 + 0.2 && peak >= tone.3 - 0.4)
  }

  /// One louder period between two samples (Tech 3341, table 1, cases 20 to 23: 0 dBTP, +0.2/−0.4).
  ///
  /// Synthesised, since the standard's files aren't at hand: at four times 48 kHz a sine of a quarter
  /// of 48 kHz runs at 0.50 FFS, faded at both ends; one of its periods has 1.00 FFS. A windowed-sinc
  /// low-pass of 513 taps, −6 dB at 21.6 kHz, makes it fit 48 kHz, and it is scaled so that its
  /// largest sample, one of the four times as many, is 1.00. Each case keeps every fourth sample,
  /// from sample 0, 1, 2 or 3 on. Two offsets of the period put its crest on and off the grid.
  @Test(
    "a peak between samples reads 0 dBTP within +0.2 and -0.4 dB (Tech 3341, cases 20 to 23)",
    arguments: [0, 1, 2, 3], [0, 2])
  func tech3341Cases20To23TruePeakBetweenSamples(offset: Int, shift: Int) throws {
    let period = 16
    let count = 4 * 4800
    let burst = (count / 2 + shift)..<(count / 2 + shift + period)
    let sine = (0..<count).map { index -> Double in
      let fade = min(1, Double(min(index, count - index)) / 2000)
      let phase = Double(index - shift) / Double(period)
      return (burst.contains(index) ? 1 : 0.5 * fade) * sin(2 * .pi * phase)
    }
    let limited = Signal.lowPass(sine, cutoff: 21.6 / 192, half: 256)
    let largest = limited.map(\.magnitude).max() ?? 1
    let kept = stride(from: offset, to: count, by: 4).map { Float(limited[$0] / largest) }
    let peak = try #require(try measure(kept).truePeak)
    #expect(peak <= 0.2 && peak >= -0.4)
  }

  @Test(
    "steps of 20 s have the loudness range of Tech 3342, cases 1 to 4, within 0.1 LU",
    arguments: zip(
      [[-20.0, -30], [-20, -15], [-40, -20], [-50, -35, -20, -35, -50]], [10.0, 5, 20, 15])
  )
  func tech3342Cases1To4(levels: [Double], range: Double) throws {
    let result = try measure(steps(levels.map { ($0, 20) }))
    #expect(near(result.range, range, 1))
    // The tones are steady, so only the mixed blocks at the joints can move it.
    #expect(near(result.range, range, 0.1))
  }
}
