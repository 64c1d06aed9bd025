import TestSupport
import Testing

@testable import IAMF

/// Damaged sequences neither trap nor ask for more than they hold.
@Suite(
  .tags(.media, .slow), .fullRunOnly, .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct MutationTests {
  @Test func damagedSequencesStayBounded() throws {
    let seeds = try MutatedSequence.seeds()
    var random = SeededNoise(seed: 4)
    var (read, units) = (0, 0)
    for _ in 0..<100_000 {
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
    #expect(read > 30_000 && units > 100_000, "\(read) sequences, \(units) units")
  }
}
