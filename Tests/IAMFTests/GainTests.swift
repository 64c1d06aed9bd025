// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import IAMF

/// Gains over time against slow references.
@Suite struct GainTests {
  /// The value of a quadratic Bézier curve at sample `index`: its time is found by halving, not solved for.
  private static func bezier(
    _ index: Double, _ length: Double, _ place: Double, _ levels: (Double, Double, Double)
  ) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let time = 2 * (1 - middle) * middle * place + middle * middle * length
      if time < index { low = middle } else { high = middle }
    }
    let (start, control, end) = levels
    return (1 - low) * (1 - low) * start + 2 * (1 - low) * low * control + low * low * end
  }

  @Test(
    "Bézier gain curves are within 1e-9 dB of a reference found by halving at every sample",
    arguments: [1, 2, 3, 64, 700, 1024])
  func curvesOfBezier(length: Int) {
    for time in [1, 37, 64, 127, 128, 129, 200, 255] {
      let curve = GainCurve(
        .bezier(start: -6, end: 3, control: -20, time: time), length: length)
      let place = (Double(length) * Double(time) / 256 + 0.5).rounded(.down)
      for index in 0..<length {
        let wanted = GainTests.bezier(Double(index), Double(length), place, (-6, -20, 3))
        #expect(abs(curve.level(index) - wanted) < 1e-9, "\(time), \(index)")
      }
      #expect(abs(curve.level(length) - 3) < 1e-9)
    }
  }

  @Test(
    "linear curves are straight in dB, a control point at time 0 is ignored, and a step stays level"
  )
  func evenCurves() {
    let line = GainCurve(.linear(start: -10, end: 6), length: 160)
    // A control point without time is none.
    let other = GainCurve(.bezier(start: -10, end: 6, control: 100, time: 0), length: 160)
    for index in 0...160 {
      #expect(abs(line.level(index) - (-10 + Double(index) / 10)) < 1e-12)
      #expect(other.level(index) == line.level(index))
    }
    #expect((0..<9).allSatisfy { GainCurve(.step(-3), length: 9).level($0) == -3 })
  }

  private static let gain: PlayableMix.Gain = {
    var gain = PlayableMix.Gain()
    gain.parameterID = 7
    gain.defaultGain = -2
    return gain
  }()

  /// A block of steps with the levels 1, 2, 3 … dB.
  private func block(_ durations: [Int], rate: Int, first: Double = 1) -> ParameterBlock {
    var block = try? [UInt8]([0]).reading { bits throws(IAMFError) in
      try ParameterBlock(&bits, GainTests.emptyRule)
    }
    block?.id = 7
    block?.rate = rate
    block?.subblocks = durations.enumerated().map { index, duration in
      ParameterBlock.Subblock(
        duration: duration, value: .mixGain(.step(first + Double(index))))
    }
    guard let block else { preconditionFailure("the rule fits") }
    return block
  }

  /// A rule whose blocks hold one mode.
  private static let emptyRule: ParameterRule = {
    let definition = try? [UInt8]([7, 1, 0, 1, 1]).reading { bits throws(IAMFError) in
      try ParameterDefinition(&bits)
    }
    guard let definition else { preconditionFailure("a definition") }
    return ParameterRule(definition: definition, kind: .demixing)
  }()

  /// Runs of equal levels in dB over units of `count` samples.
  private func runs(_ units: [[ParameterBlock]], _ count: Int, rate: Int = 48_000) -> [[Int]] {
    var track = GainTrack(GainTests.gain, sampleRate: rate)
    let line = AudioBuffer(channels: 1)
    line.grow(by: count)
    return units.flatMap { blocks -> [[Int]] in
      var unit = TemporalUnit()
      unit.blocks = blocks
      track.write(unit, to: line.channel(0))
      var runs: [[Int]] = []
      for value in line.channel(0) {
        let level = Int((20 * log10(Double(value))).rounded())
        if runs.last?.first == level {
          runs[runs.count - 1][1] += 1
        } else {
          runs.append([level, 1])
        }
      }
      return runs
    }
  }

  @Test("subblocks in ticks of 8 Hz or 7 Hz are cut at whole samples of a 48 Hz signal")
  func subblocksAreCutAtWholeSamples() {
    // Ticks of 3 at 8 Hz for 48 samples a second are 18 samples; of 5 at 7 Hz 34.
    #expect(runs([[block([3, 3, 2], rate: 8)]], 48, rate: 48) == [[1, 18], [2, 18], [3, 12]])
    #expect(runs([[block([5, 1, 1], rate: 7)]], 48, rate: 48) == [[1, 34], [2, 7], [3, 7]])
  }

  @Test(
    "a gain block starts with its unit and runs on until another comes, then the default gain holds"
  )
  func blocksStandInTheirUnits() {
    let short = block([10], rate: 48_000)
    let cases: [([[ParameterBlock]], [[Int]])] = [
      ([[]], [[-2, 40]]),
      ([[short]], [[1, 40]]),
      ([[short, block([30], rate: 48_000, first: 5)]], [[1, 10], [5, 30]]),
      ([[block([30, 30], rate: 48_000)], [short]], [[1, 30], [2, 10], [1, 40]]),
      // A block that is longer than its unit goes on only where no other stands.
      ([[block([30, 30], rate: 48_000)], [], []], [[1, 30], [2, 10], [2, 40], [-2, 40]]),
      (
        [[block([100, 20], rate: 48_000)], [], [], []],
        [[1, 40], [1, 40], [1, 20], [2, 20], [-2, 40]]
      ),
      ([[short], [], [short]], [[1, 40], [-2, 40], [1, 40]]),
      (
        [[block([30, 30], rate: 48_000)], [short], []], [[1, 30], [2, 10], [1, 40], [-2, 40]]
      ),
    ]
    for (units, wanted) in cases { #expect(runs(units, 40) == wanted) }
  }

  /// Behind a block that is too short its end holds.
  @Test("after a linear gain block that is shorter than its unit the end level holds")
  func theEndOfAShortBlockHolds() {
    var short = block([10], rate: 48_000)
    short.subblocks[0].value = .mixGain(.linear(start: 0, end: 20))
    var unit = TemporalUnit()
    unit.blocks = [short]
    var track = GainTrack(GainTests.gain, sampleRate: 48_000)
    let line = AudioBuffer(channels: 1)
    line.grow(by: 12)
    track.write(unit, to: line.channel(0))
    #expect(Array(line.channel(0)[9...]) == [Float(pow(10, 0.9)), 10, 10])
  }

  /// A gain that isn't sent, blocks of other parameters, and values that aren't gains.
  @Test("blocks of other parameters leave the default gain, and a gain without a parameter is 1")
  func otherBlocksDontCount() {
    var other = block([40], rate: 48_000)
    other.id = 8
    var modes = block([40], rate: 48_000)
    modes.subblocks[0].value = .demixing(mode: 1)
    #expect(runs([[other, modes]], 40) == [[-2, 40]])
    var track = GainTrack(PlayableMix.Gain(), sampleRate: 48_000)
    let line = AudioBuffer(channels: 1)
    line.grow(by: 3)
    track.write(TemporalUnit(), to: line.channel(0))
    #expect(Array(line.channel(0)) == [1, 1, 1])
  }
}
