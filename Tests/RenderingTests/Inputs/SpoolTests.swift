// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Rendering

@Suite struct SpoolTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Samples of 24-bit integers, from sample `first` on between two of them.
  private func programme(_ count: Int, finerFrom first: Int) -> [Float] {
    (0..<count).map { index in
      let whole = Float((index * 7919) % 16_777_215 - 8_388_607) / 8_388_608
      return index < first ? whole : whole / 3
    }
  }

  private func spool(_ samples: [Float], packs: Bool, memory: Int) throws -> (Spool, Int32) {
    let descriptor = open(folder.file("spool"), O_CREAT | O_RDWR | O_TRUNC, 0o600)
    let spool = Spool(
      channels: 2, memoryLimit: memory, descriptor: descriptor, name: "spool", packs: packs)
    for start in stride(from: 0, to: samples.count, by: 10_000) {
      let block = AudioBuffer(channels: 2)
      block.grow(by: min(10_000, samples.count - start))
      for index in 0..<block.frames {
        block.channel(0)[index] = samples[start + index]
        block.channel(1)[index] = -samples[start + index]
      }
      try spool.append(block)
    }
    return (spool, descriptor)
  }

  private func size(_ descriptor: Int32) -> Int64 {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : -1
  }

  @Test(
    "each sample put into a spool comes back", arguments: [Int.max, 0, 150_000], [true, false])
  func everySampleComesBack(finerFrom: Int, packs: Bool) throws {
    let samples = programme(300_000, finerFrom: finerFrom)
    let (spool, descriptor) = try spool(samples, packs: packs, memory: 1)
    defer { close(descriptor) }
    for _ in 0..<2 {
      var found: [Float] = []
      try spool.replay { block in
        found += block.channel(0)
        #expect(zip(block.channel(0), block.channel(1)).allSatisfy { $0 == -$1 })
      }
      #expect(found == samples)
    }
    var first: Int64?
    try spool.replay(from: 70_000) { start, block in
      first = first ?? start
      #expect(block.channel(0)[0] == samples[Int(start)])
      return start < 200_000
    }
    #expect(first == 65_536)
  }

  @Test func integersTakeThreeBytes() throws {
    let chunk = Int64(Spool.chunkFrames)
    let samples = programme(Int(chunk) * 4, finerFrom: Int(chunk) * 2)
    let (_, packed) = try spool(samples, packs: true, memory: 1)
    #expect(size(packed) == Spool.base + chunk * 2 * (2 * 3 + 2 * 4))
    close(packed)
    let (_, plain) = try spool(samples, packs: false, memory: 1)
    #expect(size(plain) == Spool.base + chunk * 2 * 4 * 4)
    close(plain)
  }

  @Test("a spool keeps in memory as much as the limit allows") func memoryHoldsWhatFits() throws {
    let samples = programme(100_000, finerFrom: 0)
    let (spool, descriptor) = try spool(samples, packs: true, memory: 1 << 20)
    defer { close(descriptor) }
    #expect(size(descriptor) == 0)
    var found: [Float] = []
    try spool.replay { found += $0.channel(0) }
    #expect(found == samples)
  }
}
