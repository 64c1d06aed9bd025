// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import MediaIn

/// The result must not depend on how the decoded sound is cut into blocks.
@Suite struct BlockCutTests {
  private let total = 3000

  /// Cuts of 3000 samples; timestamps jump by `jump` before sample 1500.
  private func cut(_ noise: inout SeededNoise, jump: Int64) -> [TimedBlock] {
    var blocks: [TimedBlock] = []
    var done = 0
    while done < total {
      let border = done < 1500 ? 1500 : total
      let frames = min(Int.random(in: 1...400, using: &noise), border - done)
      let shift = done >= 1500 ? jump : 0
      blocks.append(TimedBlock(frames: frames, position: Int64(done) + shift))
      done += frames
    }
    return blocks
  }

  private func expected(first: Int, count: Int?, jump: Int) -> [Float] {
    let head = Trimmed.ramp(1, 1500)
    let tail = Trimmed.ramp(1501 + max(0, -jump), total)
    let all = head + Array(repeating: 0, count: max(0, jump)) + tail
    let rest = all.dropFirst(first)
    return Array(count.map { rest.prefix($0) } ?? rest)
  }

  @Test(
    "an edit list with a jump of the clock gives the same samples for any cut into blocks",
    arguments: [0, 200, -200, -1400])
  func editListsAndJumps(jump: Int) throws {
    var noise = SeededNoise(seed: UInt64(bitPattern: Int64(jump)))
    for round in 0..<100 {
      var facts = Trimmed.facts()
      let first = Int.random(in: 0...800, using: &noise)
      let length = round % 4 == 0 ? 0 : Int.random(in: 1...700, using: &noise)
      facts.edits = [GaplessFacts.Edit(duration: Int64(length), mediaTime: Int64(first))]
      facts.movieTimescale = 48_000
      facts.mediaTimescale = 48_000
      let result = try Trimmed(cut(&noise, jump: Int64(jump)), facts, priming: .automatic)
      let wanted = expected(first: first, count: length == 0 ? nil : length, jump: jump)
      #expect(result.samples == wanted, "edit \(first)+\(length), round \(round)")
      #expect(result.keepsLaw)
      #expect(result.summary.gaps.count == (jump == 0 ? 0 : 1))
    }
  }

  @Test("an edit in milliseconds ends at the sample table for any cut into blocks")
  func coarseClocksEndAtTheSampleTable() throws {
    var noise = SeededNoise(seed: 99)
    for _ in 0..<100 {
      var facts = Trimmed.facts()
      facts.edits = [GaplessFacts.Edit(duration: 0, mediaTime: 0)]
      facts.movieTimescale = 1000
      facts.mediaTimescale = 48_000
      var blocks = cut(&noise, jump: 0)
      let last = blocks.count - 1
      let shortfall = Int.random(in: 0..<blocks[last].frames, using: &noise)
      blocks[last].declaredFrames = blocks[last].frames - shortfall
      let end = total - shortfall
      facts.edits[0].duration = Int64((end + 24) / 48)
      let result = try Trimmed(blocks, facts, priming: .automatic)
      #expect(result.samples == Trimmed.ramp(1, end))
      #expect(result.keepsLaw)
    }
  }
}
