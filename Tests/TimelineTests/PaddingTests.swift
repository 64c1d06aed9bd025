// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

@Suite struct PaddingTests {
  private func blocks(_ rows: [(frames: Int, discard: Int)]) -> [TimedBlock] {
    zip(rows, Trimmed.blocks(rows.map(\.frames))).map { row, block in
      var block = block
      block.discardEnd = row.discard
      return block
    }
  }

  @Test("a discard of 30 samples in the last block ends the track there")
  func discardAtTheEndIsDropped() throws {
    let result = try Trimmed(blocks([(100, 0), (100, 30)]))
    #expect(result.samples == Trimmed.ramp(1, 170))
    #expect(result.summary.plan.paddingSource == .discard)
    #expect(result.summary.endTrim == 30)
    #expect(result.keepsLaw)
  }

  @Test("discards over the last three blocks drop their 240 samples")
  func discardOverSeveralBlocksIsDropped() throws {
    let result = try Trimmed(blocks([(100, 0), (100, 40), (100, 100), (100, 100)]))
    #expect(result.samples == Trimmed.ramp(1, 160))
    #expect(result.summary.endTrim == 240)
    #expect(result.keepsLaw)
  }

  @Test("a discard in mid-stream drops the end of its own block")
  func discardInMidStreamBelongsToItsBlock() throws {
    let result = try Trimmed(blocks([(100, 20), (100, 0), (100, 0)]))
    #expect(result.samples == Trimmed.ramp(1, 80) + Trimmed.ramp(101, 300))
    #expect(result.keepsLaw)
  }

  @Test("discards of 20 samples in mid-stream and 90 in the last block drop these 110")
  func discardInMidStreamAndNearlyAllOfTheLastBlock() throws {
    let result = try Trimmed(blocks([(100, 20), (100, 90)]))
    #expect(result.samples == Trimmed.ramp(1, 80) + Trimmed.ramp(101, 110))
    #expect(result.summary.endTrim == 110)
    #expect(result.keepsLaw)
  }

  @Test("a length of 192 samples in iTunSMPB overrules the discards of blocks")
  func aStatedLengthOverrulesDiscards() throws {
    var facts = Trimmed.facts()
    facts.iTunSMPB = " 0 0 0 C0"
    let result = try Trimmed(blocks([(100, 20), (100, 90)]), facts, priming: .automatic)
    #expect(result.samples == Trimmed.ramp(1, 192))
    #expect(result.keepsLaw)
  }

  /// Some versions of libavformat state a whole frame for the last packet; the sample table has its true length.
  @Test(
    "the sample table ends the track at 270 samples, whatever the last packet states",
    arguments: [0, 30])
  func theSampleTableEndsTheProgramme(declaredShort: Int) throws {
    var blocks = Trimmed.blocks([100, 100, 100])
    blocks[2].declaredFrames = 100 - declaredShort
    var facts = Trimmed.facts()
    (facts.mediaTimescale, facts.mediaDuration) = (48_000, 270)
    let result = try Trimmed(blocks, facts)
    #expect(result.samples == Trimmed.ramp(1, 270))
    #expect(result.summary.plan.paddingSource == .sampleTable)
    #expect(result.keepsLaw)
  }

  /// A table that ends before the last frame, or behind it, isn't that of these samples.
  @Test(
    "a sample table that ends before the last frame or after it is ignored",
    arguments: [150, 200, 301])
  func aSampleTableThatCannotBeTrueIsIgnored(length: Int64) throws {
    var facts = Trimmed.facts()
    (facts.mediaTimescale, facts.mediaDuration) = (48_000, length)
    let result = try Trimmed(Trimmed.blocks([100, 100, 100]), facts)
    #expect(result.samples == Trimmed.ramp(1, 300))
    #expect(result.keepsLaw)
  }

  @Test("a declared shortfall counts in the last block only")
  func aDeclaredShortfallCountsAtTheLastBlockOnly() throws {
    var blocks = Trimmed.blocks([100, 100, 100])
    blocks[0].declaredFrames = 50
    blocks[2].declaredFrames = 70
    let result = try Trimmed(blocks)
    #expect(result.samples == Trimmed.ramp(1, 270))
    #expect(result.summary.plan.paddingSource == .sampleTable)
    #expect(result.keepsLaw)
  }

  @Test("FLAC keeps all samples of a last block that declares fewer")
  func losslessCodecsHaveNoPadding() throws {
    var blocks = Trimmed.blocks([100, 100])
    blocks[1].declaredFrames = 70
    let result = try Trimmed(blocks, Trimmed.facts("flac", container: "flac"))
    #expect(result.samples == Trimmed.ramp(1, 200))
    #expect(result.summary.plan.paddingSource == .lossless)
  }

  @Test("49,900 samples of padding after a stated end are dropped")
  func paddingOfManyBlocksBehindAStatedEndIsDroppedWithoutPilingUp() throws {
    var facts = Trimmed.facts()
    facts.iTunSMPB = " 0 0 0 64"
    let result = try Trimmed(
      Trimmed.blocks(Array(repeating: 100, count: 500)), facts, priming: .automatic)
    #expect(result.samples == Trimmed.ramp(1, 100))
    #expect(result.summary.endTrim == 49_900)
    #expect(result.keepsLaw)
  }

  @Test("a track with all samples trimmed is an error") func nothingLeftIsAnError() {
    #expect(throws: MediaError.self) { try Trimmed(blocks([(100, 100)])) }
  }
}
