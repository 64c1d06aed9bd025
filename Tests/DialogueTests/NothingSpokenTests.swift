// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Dialogue

@Suite struct NothingSpokenTests {
  @Test("programmes without anything to find give no speech and no figure that isn't finite")
  func nothingIsFoundInNothing() throws {
    var noise = SeededNoise(seed: 9)
    func square(_ rate: Int) -> [Float] {
      (0..<3 * rate).map { $0 * 200 / rate % 2 == 0 ? 1 : -1 }
    }
    let signals: [(Int, [Float])] = [
      (48_000, []), (48_000, [0.5]), (48_000, [Float](repeating: 0, count: 96_000)),
      (48_000, [Float](repeating: 0.5, count: 96_000)), (48_000, square(48_000)),
      (8000, square(8000)), (8000, noise.samples(16_000)), (15_999, noise.samples(32_000)),
      (384_000, noise.samples(400_000)), (48_000, noise.samples(400)),
    ]
    for (rate, samples) in signals {
      for layout in [ChannelLayout.mono, .stereo] {
        let planes = [[Float]](repeating: samples, count: layout.count)
        let study = try DialogueStudy(planes, rate: rate, layout: layout)
        #expect(study.figures.verdict == .noSpeech && study.figures.dialogueLoudness == nil)
        #expect(study.figures.confidence == .low && study.figures.share == 0)
        // The encoder refuses what isn't finite.
        _ = try JSONEncoder().encode(study.figures)
        let programme = LevelProgramme(study.found, study.figures, energies: study.energies)
        let levelling = LevelSolver(programme, mode: .night).solve()
        #expect(levelling.gain.allSatisfy { $0.magnitude <= 18 })
        _ = try JSONEncoder().encode(levelling)
      }
    }
  }
}
