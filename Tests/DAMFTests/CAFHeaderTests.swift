// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import DAMF

/// The header of a set's sound.
@Suite struct CAFHeaderTests {
  private func facts(_ bytes: [UInt8]) throws -> CAFFacts {
    try CAFHeader.read(ByteSource(bytes), file: "x.caf")
  }

  @Test("both byte orders, integers and numbers with a point are told apart")
  func formatsAreRead() throws {
    let little = try facts(MasterFixture.caf())
    #expect(little.isLittleEndian && !little.isFloat && little.bits == 24)
    #expect(little.channels == 3 && little.rate == 48_000 && little.frames == 2400)
    let big = try facts(MasterFixture.caf(flags: 0))
    #expect(!big.isLittleEndian)
    let float = try facts(MasterFixture.caf(flags: 3, bits: 32))
    #expect(float.isFloat && float.isLittleEndian && float.bytesPerFrame == 12)
  }

  @Test("other chunks are passed over, and a size of −1 lasts to the end")
  func chunksArePassedOver() throws {
    let free = Array("free".utf8) + Int64(16).bigEndianBytes + [UInt8](repeating: 0, count: 16)
    let found = try facts(MasterFixture.caf(isOpen: true, before: free))
    #expect(found.statedBytes == nil && found.frames == 2400)
    #expect(found.dataOffset == 8 + 44 + 28 + 16)
  }

  @Test("chunks of absurd sizes are refused")
  func absurdSizesAreRefused() {
    for size in [Int64.min, -2, 0, 3] {
      var bytes = MasterFixture.caf(frames: 0)
      bytes.replaceSubrange(bytes.count - 12..<bytes.count - 4, with: size.bigEndianBytes)
      #expect(throws: DAMFError.self) { try facts(bytes) }
    }
    let huge = Array("free".utf8) + Int64.max.bigEndianBytes
    #expect(throws: DAMFError.self) { try facts(MasterFixture.caf(before: huge)) }
    let late = Array("data".utf8) + Int64(4).bigEndianBytes
    #expect(throws: DAMFError.self) { try facts(Array("caff\0\u{1}\0\0".utf8) + late) }
  }

  @Test("a count of channels that is absurd doesn't trap")
  func absurdCountsDoNotTrap() throws {
    let facts = CAFFacts(
      rate: .nan, channels: Int(UInt32.max), bits: Int(UInt32.max), bytesPerFrame: 0,
      statedBytes: 0, presentBytes: 0)
    #expect(facts.frames == 0)
    #expect(throws: DAMFError.self) {
      try facts.check(channels: 3, rate: 48_000, file: "x", log: DAMFLog())
    }
  }
}
