// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport
import Testing

@testable import JOC
@testable import ObjectMetadata

/// The search for containers against one that looks at every bit.
@Suite struct ScannerTests {
  /// The rules of the search, bit by bit. The first bit of a unit belongs to a sync word of another kind.
  private func plain(_ unit: UnsafeBufferPointer<UInt8>) -> MetadataContainer? {
    var found: MetadataContainer?
    var tries = 0
    var word = 0
    for bit in 0..<8 * unit.count {
      word = (word << 1 | Int(unit[bit / 8] >> UInt8(7 - bit % 8) & 1)) & 0xFFFF
      let start = bit - 15
      guard word == 0x5838, start > 0, start >= found?.end ?? 0 else { continue }
      tries += 1
      guard tries <= 64 else { return found }
      var bits = BitReader(unit)
      bits.position = start
      guard let container = try? MetadataContainer(&bits) else { continue }
      if container.isComplete || found?.isComplete != true { found = container }
    }
    return found
  }

  /// Bits of noise, sync words and containers in any order.
  private func unit(_ random: inout SeededNoise) -> [UInt8] {
    var bits = MadeBits()
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let ids = [[11, 14], [14, 11], [14], [11], [2]].randomElement(using: &random) ?? []
        bits.container(
          ids.map { id in (id, noise(Int.random(in: 0..<40, using: &random), &random)) })
      case 1:
        // Sometimes more sync words than are tried.
        let most = Int.random(in: 0..<8, using: &random) == 0 ? 80 : 3
        for _ in 0..<Int.random(in: 1...most, using: &random) { bits.append(0x5838, 16) }
      default:
        for _ in 0..<Int.random(in: 0..<60, using: &random) {
          bits.append(Int.random(in: 0...1, using: &random), 1)
        }
      }
    }
    return bits.bytes
  }

  /// Bytes that often hold parts of the sync word.
  private func noise(_ count: Int, _ random: inout SeededNoise) -> [UInt8] {
    let parts: [UInt8] = [0x58, 0x38, 0xB0, 0x70, 0x0B, 0x07, 0xC1, 0xC0]
    return (0..<count).map { _ in
      Bool.random(using: &random)
        ? parts.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
    }
  }

  @Test("a search by bytes finds the container of a search by bits")
  func aSearchByBytesFindsWhatASearchByBitsFinds() {
    var random = SeededNoise(seed: 7)
    var (found, complete) = (0, 0)
    let rounds = Soak.rounds(1000, soak: 100_000)
    for turn in 0..<rounds {
      unit(&random).withUnsafeBufferPointer { bytes in
        let container = MetadataScanner.container(in: bytes)
        #expect(container == plain(bytes), "unit \(turn)")
        if let container {
          (found, complete) = (found + 1, complete + (container.isComplete ? 1 : 0))
        }
      }
    }
    #expect(
      found > rounds / 4 && found < rounds * 9 / 10 && complete > rounds / 10,
      "\(found), \(complete)")
  }

  /// One container, moved bit by bit, and cut at its last byte.
  @Test("a container is found at each bit, and one cut at its last byte isn't")
  func aContainerIsFoundAtEveryBit() throws {
    for start in 1..<64 {
      var bits = MadeBits()
      bits.append(0, start)
      bits.container([(11, [1, 2, 3]), (14, [4])])
      let bytes = bits.bytes
      let container = try #require(bytes.withUnsafeBufferPointer(MetadataScanner.container(in:)))
      // Sync word, length, version, key, and the payload's number, flags and size.
      #expect(container.objects == .init(id: 11, start: start + 56, size: 3, sampleOffset: 0))
      #expect(container.coefficients?.size == 1)
      let cut = bytes.dropLast(start % 8 == 0 ? 1 : 2)
      #expect(Array(cut).withUnsafeBufferPointer { MetadataScanner.container(in: $0) } == nil)
    }
  }
}
