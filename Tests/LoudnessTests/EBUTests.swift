import AudioCore
import Testing

@testable import Loudness

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

  @Test(arguments: [-23.0, -33.0])
  func tech3341Cases1And2(level: Double) throws {
    let result = try measure(steps([(level, 20)]))
    #expect(near(result.integrated, level))
    #expect(near(result.momentaryMax, level))
    #expect(near(result.shortTermMax, level))
  }

  @Test func tech3341Cases3To5GateQuietParts() throws {
    let third: [(Double, Double)] = [(-36, 10), (-23, 60), (-36, 10)]
    #expect(near(try measure(steps(third)).integrated, -23))
    let fourth: [(Double, Double)] = [(-72, 10)] + third + [(-72, 10)]
    #expect(near(try measure(steps(fourth)).integrated, -23))
    let fifth = steps([(-26, 20), (-20, 20.1), (-26, 20)])
    #expect(near(try measure(fifth).integrated, -23))
  }

  @Test func tech3341Case6WeighsSurrounds() throws {
    let layout = try #require(ChannelLayout(name: "5.0"))
    let planes = [-28.0, -28, -24, -30, -30].map { Signal.tone($0, seconds: 20) }
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    #expect(near(try Signal.measure(planes, format: format).integrated, -23))
  }

  @Test func tech3341Case9ShortTermIsSteady() throws {
    let cycle: [(Double, Double)] = [(-20, 1.34), (-30, 1.66)]
    let whole = steps((0..<5).flatMap { _ in cycle })
    #expect(near(try measure(whole).shortTermMax, -23))
  }

  @Test func tech3341Case10And13FindOneBurst() throws {
    for index in 0..<20 {
      let long = Signal.silence(Double(index) * 0.15) + steps([(-23, 3)]) + Signal.silence(1)
      #expect(near(try measure(long).shortTermMax, -23), "case 10, file \(index)")
      let short = Signal.silence(Double(index) * 0.02) + steps([(-23, 0.4)]) + Signal.silence(1)
      #expect(near(try measure(short).momentaryMax, -23), "case 13, file \(index)")
    }
  }

  @Test func tech3341Case12MomentaryIsSteady() throws {
    let cycle: [(Double, Double)] = [(-20, 0.18), (-30, 0.22)]
    let whole = steps((0..<25).flatMap { _ in cycle })
    #expect(near(try measure(whole).momentaryMax, -23))
  }

  @Test func tech3341Cases11And14FollowRisingBursts() throws {
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
  @Test(arguments: [
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

  @Test(
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
