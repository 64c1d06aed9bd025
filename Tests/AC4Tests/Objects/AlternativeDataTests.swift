// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Data of alternative presentations are skipped to their last bit (TS 103 190-2, 6.2.8.11).
@Suite struct AlternativeDataTests {
  /// Three objects, of which the last two have a position.
  @Test(
    "data of an alternative presentation are skipped to their last bit", arguments: 0...4, 0...4)
  func everyFormIsSkipped(category: Int, sets: Int) throws {
    var noise = SeededNoise(seed: UInt64(10 * category + sets))
    for _ in 0..<40 {
      var bits = BitWriter()
      bits.write(Bool.random(using: &noise))
      AlternativeDataTests.write(category, &bits)
      AlternativeDataTests.write(sets, &bits)
      for _ in 0..<sets { AlternativeDataTests.writeSet(&bits, &noise) }
      bits.write(0b1011, 4)
      bits.align()
      try bits.bytes.withUnsafeBufferPointer { buffer in
        var reader = BitReader(buffer)
        try AlternativeObjectData.skip(&reader, objects: 3, dynamic: 2)
        #expect(try reader.read(4) == 0b1011)
      }
    }
  }

  /// A presentation's data on its targets are skipped, however many there are (TS 103 190-2, 6.2.2.2).
  @Test(
    "1…9 targets of a presentation are skipped, and name and dialnorm are read",
    arguments: [1, 3, 4, 5, 9])
  func everyTargetIsSkipped(targets: Int) throws {
    var presentation = AC4Presentation()
    presentation.isAlternative = true
    var bits = BitWriter()
    // A name of three letters.
    bits.write(0b11_00011, 7)
    bits.write(Array("abc".utf8))
    AlternativeDataTests.write(targets - 1, &bits)
    // Nothing but a level and a category, and one inactive substream.
    for _ in 0..<targets { bits.write(0, 7 + 3 + 1) }
    bits.write(0, 1)
    bits.write(72, 7)
    // No loudness, no dynamic range in one bit, no associated audio.
    bits.write(0, 1)
    bits.write(1, 5)
    bits.write(0, 3)
    bits.align()
    let context = MetadataContext(
      mode: .stereo, syntaxVersion: 1, isIFrame: true, frameLength: 2048, books: MetadataBooks())
    let data = try bits.bytes.withUnsafeBufferPointer { buffer in
      var bits = BitReader(buffer)
      var reader = PresentationMetadataReader()
      return try reader.read(&bits, presentation, substreams: 1, context)
    }
    #expect(data.name == "abc" && data.dialnorm == -18)
    #expect(data.hasGoodDRCSize)
  }

  /// Two bits; 3 is followed by what is beyond it.
  private static func write(_ value: Int, _ bits: inout BitWriter) {
    bits.write(min(value, 3), 2)
    if value >= 3 { SyntheticStream.variable(value - 3, &bits) }
  }

  private static func writeSet(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    let keeps = Bool.random(using: &noise)
    bits.write(keeps)
    if !keeps {
      let isCommon = Bool.random(using: &noise)
      bits.write(isCommon)
      for point in 0..<(isCommon ? 1 : 3) {
        let hasGain = Bool.random(using: &noise)
        bits.write(hasGain)
        if hasGain { bits.write(Int.random(in: 0...63, using: &noise), 6) }
        guard point > 0 else { continue }
        let hasPlace = Bool.random(using: &noise)
        bits.write(hasPlace)
        if hasPlace { bits.write(Int.random(in: 0..<1 << 17, using: &noise), 17) }
      }
    }
    let more = Int.random(in: -1...2, using: &noise)
    bits.write(more >= 0)
    guard more >= 0 else { return }
    SyntheticStream.variable(more, &bits)
    for _ in 0...more { bits.write(Int.random(in: 0...255, using: &noise), 8) }
  }
}
