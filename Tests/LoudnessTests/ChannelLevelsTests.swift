// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// Levels of single channels, against libebur128 on each of them.
@Suite struct ChannelLevelsTests {
  private static let mono = Signal.format(48_000, "mono")

  /// Eleven channels, more than a group of lanes holds: programmes of several levels with pauses, a short
  /// burst, one that never passes the gate, and silence.
  private static let planes: [[Float]] = {
    var planes = (0..<8).map { number in
      Signal.programme(
        seconds: 12, rate: 48_000, seed: UInt64(number), peak: 0.05 * Float(number + 1))
    }
    for index in 100_000..<300_000 { planes[3][index] = 0 }
    var burst = Signal.silence(12)
    for (index, value) in Signal.tone(-3, seconds: 0.3).enumerated() {
      burst[200_000 + index] = value
    }
    return planes + [burst, Signal.tone(-75, seconds: 12), Signal.silence(12)]
  }()

  private func levels(_ planes: [[Float]], sizes: [Int]) throws -> [ChannelLevels.Levels] {
    let meter = try ChannelLevels(channels: planes.count, sampleRate: 48_000)
    var (position, turn) = (0, 0)
    while position < planes[0].count {
      let count = min(sizes[turn % sizes.count], planes[0].count - position)
      let buffer = Signals.buffer(planes, position..<position + count)
      meter.add(
        planes.indices.compactMap { buffer.channel($0).baseAddress.map { UnsafePointer($0) } },
        count: count)
      position += count
      turn += 1
    }
    return meter.finish()
  }

  @Test(
    "each of eleven channels has the loudness that libebur128 reads of it alone, within 0.03 LU")
  func everyChannelReadsAsByItself() throws {
    let found = try levels(ChannelLevelsTests.planes, sizes: [8192])
    for (number, plane) in ChannelLevelsTests.planes.enumerated() {
      let oracle = try #require(Oracle([plane], format: ChannelLevelsTests.mono))
      if let integrated = found[number].integrated {
        #expect(abs(integrated - oracle.integrated) < 0.03, "channel \(number)")
      } else {
        #expect(oracle.integrated < -70, "channel \(number)")
      }
      if let peak = found[number].samplePeak {
        let largest = plane.map(\.magnitude).max() ?? 0
        #expect(abs(peak - Signal.decibels(Double(largest))) < 1e-6, "channel \(number)")
      } else {
        #expect(oracle.truePeak == -.infinity, "channel \(number)")
      }
    }
    #expect(found.suffix(2).map { $0.integrated == nil } == [true, true])
    #expect(found.suffix(2).map { $0.samplePeak == nil } == [false, true])
  }

  @Test("each of 1 to 24 channels has the levels that it has alone, within 1e-9 LU")
  func channelsDontDependOnEachOther() throws {
    let planes = ChannelCounts.noise(ChannelCounts.all.upperBound, 20_000)
    let alone = try planes.map { try levels([$0], sizes: [4096])[0] }
    for count in ChannelCounts.all {
      let found = try levels(Array(planes.prefix(count)), sizes: [4096])
      #expect(found.count == count)
      for (own, wanted) in zip(found, alone) {
        #expect(own.samplePeak == wanted.samplePeak)
        let (own, wanted) = (try #require(own.integrated), try #require(wanted.integrated))
        #expect(abs(own - wanted) < 1e-9, "\(count) channels")
      }
    }
  }

  @Test("channel levels are the same bits for blocks of any size")
  func theSizeOfBlocksChangesNoBit() throws {
    let whole = try levels(ChannelLevelsTests.planes, sizes: [1 << 20])
    for sizes in [[4096], [1, 4799, 777, 4801]] {
      #expect(try levels(ChannelLevelsTests.planes, sizes: sizes) == whole)
    }
  }

  /// Below 400 ms nothing is gated.
  @Test("a channel of 0.35 s has the loudness that the meter reads of it, within 1e-9 LU")
  func shortProgrammesAreMeasuredAsAWhole() throws {
    let plane = Signal.tone(-20, seconds: 0.35)
    let measured = try Signal.measure([plane], format: ChannelLevelsTests.mono)
    let expected = try #require(measured.integrated)
    let found = try #require(try levels([plane], sizes: [1000])[0].integrated)
    #expect(abs(found - expected) < 1e-9)
  }
}
