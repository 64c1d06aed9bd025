// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import IAMF

/// The factors of a downmix keep the energy of what is mixed.
@Suite struct DownmixAnalysisTests {
  /// For one side of lower layers: what is mixed, and of what. `#` is the side.
  private typealias Mixes = (mixed: [String], sources: [String])

  private static let cases: [(stack: [Int], mixes: [Mixes])] = [
    ([1, 7], [(["#3"], ["#", "#ss", "#rs"])]),
    ([0, 2], [(["#3"], ["#", "#s"])]),
    ([3, 7], [(["#s", "#tf2"], ["#ss", "#rs", "#tf", "#tb"])]),
    ([8, 4], [(["#3", "#tf3"], ["#", "#s", "#tf", "#tr"])]),
    ([8, 7], [(["#3", "#tf3"], ["#", "#ss", "#rs", "#tf", "#tb"])]),
    (
      [1, 8, 3, 7],
      [
        (["#3"], ["#", "#ss", "#rs"]), (["#3", "#tf3"], ["#", "#ss", "#rs", "#tf", "#tb"]),
        (["#s", "#tf2"], ["#ss", "#rs", "#tf", "#tb"]),
      ]
    ),
  ]

  private func choice(_ programme: WrittenProgramme, blocks: Int) -> DemixingValues? {
    var analysis = DownmixAnalysis(WrittenProgramme.layouts(programme.stack))
    let frames = programme.planes.frames
    for start in stride(from: 0, to: frames, by: blocks) {
      let part = AudioBuffer(channels: programme.planes.channels)
      part.append(programme.planes, range: start..<min(frames, start + blocks))
      analysis.add(part)
    }
    return analysis.values
  }

  /// The difference of energies with the factors of a mode, sample by sample.
  private func difference(
    _ programme: WrittenProgramme, _ mixes: [Mixes], _ mode: Int, _ weight: Int
  ) -> Double {
    let top = programme.stack[programme.stack.count - 1]
    let downmixes = programme.mixes.map {
      SlowDownmix($0.versions, layout: top, mode: mode, weight: weight)
    }
    var sum = 0.0
    for side in ["L", "R"] {
      for part in mixes {
        func energy(_ names: [String]) -> Double {
          var sum = 0.0
          for name in names {
            let label = name == "#" ? side : side + name.dropFirst()
            for level in downmixes.map({ $0.versions[label] ?? 0 }) { sum += level * level }
          }
          return sum
        }
        sum += abs(energy(part.mixed) - energy(part.sources))
      }
    }
    return sum
  }

  @Test(
    "the chosen mode and weight have the smallest energy difference of all 33 candidates",
    arguments: cases.indices)
  func theNearestCandidateIsChosen(index: Int) throws {
    let (stack, mixes) = DownmixAnalysisTests.cases[index]
    var random = SeededNoise(seed: UInt64(70 + index))
    var chosen: Set<[Int]> = []
    for round in 0..<8 {
      var level: [String: Double] = [:]
      for label in ["L", "Ls", "Lss", "Lrs", "Ltf", "Ltb", "Ltr", "Rss", "Rtf", "Rrs"] {
        level[label] = Double.random(in: 0...1, using: &random)
      }
      let programme = WrittenProgramme(stack, 60, &random, level: level)
      // Surrounds of both sides are alike, or left and its surround, or nothing is.
      let isSeven = programme.planes.channels == 12
      for (from, to) in round % 2 == 0 ? [] : isSeven ? [(3, 5), (4, 6)] : [(3, 0), (4, 2)] {
        _ = programme.planes.channel(to).update(fromContentsOf: programme.planes.channel(from))
      }
      let changed = WrittenProgramme(stack, programme.planes)
      var best: (difference: Double, mode: Int, weight: Int)?
      for mode in 0...2 {
        for weight in 0...10 {
          let difference = difference(changed, mixes, mode, weight)
          // Candidates that differ by rounding only are equal.
          if difference < (best?.difference ?? .infinity) * (1 - 1e-12) {
            best = (difference, mode, weight)
          }
        }
      }
      let values = try #require(choice(changed, blocks: 60))
      #expect(values.mode == best?.mode && values.weightIndex == best?.weight, "\(stack)")
      chosen.insert([values.mode, values.weightIndex])
    }
    #expect(chosen.count > 1, "\(chosen)")
  }

  @Test("blocks of 500, 128, 33 and 1 samples lead to one choice of downmix mode and weight")
  func blocksDontChangeTheChoice() {
    var random = SeededNoise(seed: 80)
    let programme = WrittenProgramme([1, 8, 3, 7], 500, &random)
    let all = [500, 128, 33, 1].map { choice(programme, blocks: $0) }
    #expect(all.allSatisfy { $0 == all[0] && $0 != nil })
  }

  /// Independent channels keep their energy with mode 0, equal ones with mode 1.
  @Test("independent side and rear channels get downmix mode 0, and equal ones mode 1")
  func knownProgrammes() {
    var random = SeededNoise(seed: 81)
    let independent = WrittenProgramme([2, 5], 40_000, &random)
    #expect(choice(independent, blocks: 40_000)?.mode == 0)
    for (left, right) in [(3, 5), (4, 6)] {
      _ = independent.planes.channel(right)
        .update(fromContentsOf: independent.planes.channel(left))
    }
    #expect(choice(independent, blocks: 40_000)?.mode == 1)
  }

  @Test("stacks without a factor to choose, and silence, get mode 0 and weight 0")
  func nothingToChoose() {
    var random = SeededNoise(seed: 82)
    let first = DemixingValues(mode: 0, weight: 0)
    for stack in [[7], [5, 7], [1, 8], [9]] {
      #expect(DownmixAnalysis(WrittenProgramme.layouts(stack)).values == first)
    }
    let silent = WrittenProgramme([8, 7], 10, &random, level: [:])
    for channel in 0..<12 { silent.planes.channel(channel).update(repeating: 0) }
    #expect(choice(silent, blocks: 10) == first)
  }
}
