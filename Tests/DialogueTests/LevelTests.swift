// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Dialogue

/// A curve of gains by an independent implementation, and all that it was made of.
private struct LevelVector: Decodable, Sendable {
  struct Figures: Decodable, Sendable {
    let spread: Double
    let programme, dialogue: Double?
  }
  struct Outcome: Decodable, Sendable {
    let outcome: String
    let window: Double?
    let before, after: Figures?
    let largestGain, smallestGain, steepestRise, steepestFall, moving, away: Double?
  }

  let input: String?
  let mode: LevelMode
  let energies: [Double]
  let passages: [[Double]]
  let certainFrames: [Int]
  let anchor: Double?
  let anchorOf: LoudnessAnchor
  let gain: [Double]
  let others: Outcome

  private enum CodingKeys: String, CodingKey {
    case input, mode, energies, passages, certainFrames, anchor, anchorOf, gain
    case others = "told"
  }

  static let names: [String] = {
    let folder = DialogueCase.path("level")
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }()

  init(_ name: String) throws {
    let url = URL(fileURLWithPath: DialogueCase.path("level/" + name))
    self = try JSONDecoder().decode(LevelVector.self, from: Data(contentsOf: url))
  }

  var programme: LevelProgramme {
    LevelProgramme(
      energies: energies.map { pow(10, ($0 + 0.691) / 10) },
      passages: passages.map {
        LevelProgramme.Passage(steps: Int($0[0])..<Int($0[1]), loudness: $0[2])
      }, certain: certainFrames, anchor: anchor, anchorOf: anchorOf)
  }
}

@Suite(.enabled(if: DialogueCase.isPresent, "needs ../shared/dialogue and ffmpeg"))
struct LevelVectorTests {
  private func differences(_ one: [Double], _ other: [Double]) -> [Double] {
    zip(one, other).map { ($0 - $1).magnitude }
  }

  private func isNear(_ one: Double?, _ other: Double?, _ tolerance: Double) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return (one - other).magnitude <= tolerance
  }

  @Test("gains are those of an independent implementation", arguments: LevelVector.names)
  func gainsAreTheOthers(name: String) throws {
    let vector = try LevelVector(name)
    let levelling = LevelSolver(vector.programme, mode: vector.mode).solve()
    #expect(levelling.outcome.rawValue == vector.others.outcome)
    try #require(levelling.gain.count == vector.gain.count)
    let largest = differences(levelling.gain, vector.gain).max() ?? 0
    if ProcessInfo.processInfo.environment["PINNA_SHOW"] != nil { print("LEVEL", name, largest) }
    #expect(largest <= 0.05)
    #expect(isNear(levelling.window, vector.others.window, 0.1))
    for (one, other) in [
      (levelling.before, vector.others.before), (levelling.after, vector.others.after),
    ] {
      #expect(isNear(one?.spread, other?.spread, 0.05))
      #expect(isNear(one?.programme, other?.programme, 0.05))
      #expect(isNear(one?.dialogue, other?.dialogue, 0.05))
    }
    guard let steepest = vector.others.steepestRise else { return }
    #expect(isNear(levelling.steepestRise, steepest, 0.05))
    #expect(isNear(levelling.steepestFall, vector.others.steepestFall, 0.05))
    #expect(isNear(levelling.largestGain, vector.others.largestGain, 0.05))
    #expect(isNear(levelling.smallestGain, vector.others.smallestGain, 0.05))
    #expect(isNear(levelling.moving, vector.others.moving, 0.02))
    #expect(isNear(levelling.away, vector.others.away, 0.02))
  }

  @Test(
    "gains from the sound itself are the same", .tags(.media, .system), .fullRunOnly,
    arguments: LevelVector.names)
  func gainsFromSoundAreTheSame(name: String) throws {
    let vector = try LevelVector(name)
    guard let input = vector.input else { return }
    let study = try DialogueStudy(String(input.dropLast(5)))
    let programme = LevelProgramme(study.found, study.figures, energies: study.energies)
    #expect(programme.anchorOf == vector.anchorOf || programme.anchor == nil)
    let gains = LevelSolver(programme, mode: vector.mode).solve().gain
    try #require(gains.count == vector.gain.count)
    let differences = differences(gains, vector.gain)
    #expect(differences.count { $0 <= 0.05 } * 100 >= 99 * differences.count)
    #expect((differences.max() ?? 0) <= 0.5)
  }
}

@Suite struct LevelTests {
  /// −38, −24 and −8 LUFS for 20 s each, with silence of 2 s between; words at −24.
  private static let steps = LevelProgramme(
    energies: [(200, -38.0), (20, nil), (200, -24), (20, nil), (200, -8)].flatMap {
      [Double](repeating: $1.map { pow(10, ($0 + 0.691) / 10) } ?? 0, count: $0)
    }, passages: [.init(steps: 220..<420, loudness: -24)], anchor: -24, anchorOf: .dialogue)

  @Test(
    "a quiet, a middle and a loud scene get the gains that are worked out by hand",
    arguments: [
      (LevelMode.gentle, LevelOutcome.notReached, 11.25, [6.00, 0, -11.50]),
      (.night, .reached, 7.40, [9.00, 0, -13.04]), (.train, .reached, 4.94, [11.04, 0, -14.03]),
    ])
  func scenesGetTheirGains(
    mode: LevelMode, outcome: LevelOutcome, window: Double, wanted: [Double]
  ) throws {
    let levelling = LevelSolver(LevelTests.steps, mode: mode).solve()
    #expect(levelling.outcome == outcome)
    #expect((try #require(levelling.window) - window).magnitude < 0.02)
    for (step, gain) in zip([100, 320, 540], wanted) {
      #expect((levelling.gain[step] - gain).magnitude < 0.01)
    }
  }

  @Test("a gain is a straight line between the middles of steps, for blocks of any size")
  func samplesLieOnStraightLines() {
    let gains = LevelSolver(LevelTests.steps, mode: .night).solve().gain
    for rate in [44_100, 11_025] {
      let source = StepEnergies(meanSquares: LevelTests.steps.energies, sampleRate: 48_000)
      let level = LevelGain(gain: gains, sampleRate: rate, source: source)
      let amplitudes = gains.map { pow(10, $0 / 20) }
      for index in stride(from: 0, to: 64 * rate, by: 997) {
        let place = (Double(index) + 0.5) / Double(rate) * 10 - 0.5
        let step = min(amplitudes.count - 1, max(0, Int(place)))
        let next = min(amplitudes.count - 1, step + 1)
        let part = min(1, max(0, place - Double(step)))
        let wanted = amplitudes[step] * (1 - part) + amplitudes[next] * part
        #expect((level.amplitude(at: Int64(index)) - wanted).magnitude < 1e-12)
      }
    }
  }

  @Test("samples are multiplied by the gain of their index, whatever the block")
  func blocksDontMatter() {
    let gains: [Double] = [0, 3, -6, -6, 9, 2]
    let source = StepEnergies(meanSquares: [], sampleRate: 11_025)
    let level = LevelGain(gain: gains, sampleRate: 11_025, source: source)
    var wanted: [[Float]] = []
    for block in [8000, 1, 256, 480, 1024, 1103] {
      var samples: [Float] = []
      for start in stride(from: 0, to: 8000, by: block) {
        let buffer = AudioBuffer(channels: 2)
        buffer.grow(by: min(block, 8000 - start))
        for channel in 0..<2 { buffer.channel(channel).update(repeating: 1) }
        level.apply(to: buffer, from: Int64(start))
        #expect(buffer.channel(0).elementsEqual(buffer.channel(1)))
        samples += buffer.channel(0)
      }
      #expect(samples.indices.allSatisfy { samples[$0] == Float(level.amplitude(at: Int64($0))) })
      wanted.append(samples)
      #expect(samples == wanted[0])
    }
  }

  /// A programme of scenes with levels at random, some of them silent.
  private func programme(_ seed: UInt64) -> LevelProgramme {
    var noise = SeededNoise(seed: seed)
    var energies: [Double] = []
    var passages: [LevelProgramme.Passage] = []
    while energies.count < 900 {
      let values = noise.samples(3).map { Double($0 + 1) / 2 }
      let count = 5 + Int(values[0] * 150)
      let loudness = -45 + 40 * values[1]
      let isSilent = values[2] > 0.85
      let start = energies.count
      for value in noise.samples(count) {
        let level = loudness + 4 * Double(value)
        energies.append(isSilent ? 0 : pow(10, (level + 0.691) / 10))
      }
      if values[2] < 0.4 {
        passages.append(.init(steps: start..<start + count, loudness: loudness))
      }
    }
    return LevelProgramme(energies: energies, passages: passages, anchor: -23)
  }

  @Test("slopes, gains and the window keep their limits for any programme")
  func limitsHold() {
    for seed in 0..<UInt64(Soak.rounds(6, soak: 300)) {
      let programme = programme(seed)
      for mode in LevelMode.allCases {
        let levelling = LevelSolver(programme, mode: mode).solve()
        let (gain, limits) = (levelling.gain, mode.limits)
        #expect(gain.allSatisfy { (-limits.cut - 1e-9...limits.boost + 1e-9).contains($0) })
        for (one, next) in zip(gain, gain.dropFirst()) {
          #expect(next - one <= limits.rise * 0.1 + 1e-9)
          #expect(one - next <= limits.fall * 0.1 + 1e-9)
        }
        guard let window = levelling.window else { continue }
        // No second lies above the window unless the largest cut isn't enough.
        let high = -23 + 0.4 * window
        let seconds = WindowSums.means(programme.energies, half: 5).map(PlainMaths.loudness)
        for (second, gain) in zip(seconds, gain) {
          #expect(second <= high || gain <= max(high - second, -limits.cut) + 1e-9)
        }
        let spread = levelling.after?.spread ?? .infinity
        #expect(levelling.outcome != .reached || spread <= limits.range)
        #expect(spread < levelling.before?.spread ?? 0)
      }
    }
  }

  @Test("curves of programmes that follow each other are held together by their slopes")
  func joinedCurvesKeepTheirSlopes() {
    let limits = LevelMode.night.limits
    let joined = limits.held([Double](repeating: 6, count: 50) + [Double](repeating: -3, count: 50))
    #expect(joined[..<38].allSatisfy { $0 == 6 } && joined[50...].allSatisfy { $0 == -3 })
    #expect(zip(joined, joined.dropFirst()).allSatisfy { $0 - $1 <= 0.8 + 1e-9 })
    let rising = limits.held([Double](repeating: -3, count: 50) + [Double](repeating: 6, count: 50))
    #expect(zip(rising, rising.dropFirst()).allSatisfy { $1 - $0 <= 0.4 + 1e-9 })
    #expect(rising[..<50].allSatisfy { $0 == -3 } && rising[80] == 6)
  }

  @Test("a programme that is louder throughout, with its anchor, gets the same gains")
  func onlyDistancesCount() {
    let base = programme(41)
    let louder = LevelProgramme(
      energies: base.energies.map { $0 * pow(10, 0.3) },
      passages: base.passages.map { .init(steps: $0.steps, loudness: $0.loudness + 3) },
      anchor: -20)
    for mode in LevelMode.allCases {
      let one = LevelSolver(base, mode: mode).solve()
      let other = LevelSolver(louder, mode: mode).solve()
      #expect(zip(one.gain, other.gain).allSatisfy { ($0 - $1).magnitude < 1e-6 })
    }
  }

  @Test("digital silence between scenes has a gain on the line between them")
  func silenceIsBridged() {
    #expect(LevelCurve.filled([nil, 2, nil, nil, 5, nil]) == [2, 2, 3, 4, 5, 5])
    #expect(LevelCurve.filled([nil, nil]) == [0, 0])
    let gains = LevelSolver(LevelTests.steps, mode: .night).solve().gain
    // The two seconds between the quiet and the middle scene only fall, those before the loud one, too.
    for gap in [205..<215, 425..<435] {
      #expect(zip(gains[gap], gains[gap].dropFirst()).allSatisfy { $0 >= $1 })
    }
  }

  @Test("nothing is changed where the range is kept, there is silence, or less than 3 s")
  func nothingIsChangedWithoutNeed() {
    let even = [Double](repeating: 1e-3, count: 200)
    let within = LevelSolver(LevelProgramme(energies: even, anchor: -30), mode: .train).solve()
    #expect(within.outcome == .within && within.gain == [Double](repeating: 0, count: 200))
    let silent = LevelSolver(LevelProgramme(energies: even, anchor: nil), mode: .night).solve()
    #expect(silent.outcome == .silent && silent.gain.allSatisfy { $0 == 0 })
    let short = LevelProgramme(energies: Array(even.prefix(29)), anchor: -30)
    #expect(LevelSolver(short, mode: .night).solve().outcome == .tooShort)
  }

  @Test("another range is kept")
  func wishesAreKept() throws {
    let wide = LevelSolver(LevelTests.steps, mode: .night, range: 16).solve()
    #expect(wide.outcome == .reached && (wide.after?.spread ?? 99) <= 16)
    #expect((wide.window ?? 0) > 7.5)
  }
}
