// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import IAMF

/// Damaged sequences neither trap nor ask for more than they hold.
@Suite(
  .tags(.media, .slow), .fullRunOnly, .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct MutationTests {
  @Test("a damaged sequence yields no more bytes and values than it has bytes")
  func damagedSequencesStayBounded() throws {
    let seeds = try MutatedSequence.seeds()
    var random = SeededNoise(seed: 4)
    var (read, units) = (0, 0)
    let rounds = Soak.rounds(4000, soak: 500_000)
    for _ in 0..<rounds {
      let bytes = try MutatedSequence.next(seeds, &random)
      guard var reader = try? RawSequenceReader(bytes: bytes) else { continue }
      read += 1
      while let unit = try? reader.next() {
        units += 1
        let bound = bytes.count
        let values = unit.blocks.reduce(0) { $0 + $1.subblocks.count }
        if unit.bytes.count > bound || values > bound + unit.blocks.count {
          Issue.record("\(unit.bytes.count) bytes, \(values) values of \(bound)")
        }
      }
    }
    #expect(read > rounds * 3 / 10 && units > rounds, "\(read) sequences, \(units) units")
  }
}
