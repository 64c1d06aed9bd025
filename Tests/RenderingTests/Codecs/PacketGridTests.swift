// SPDX-License-Identifier: Apache-2.0
import Loudness
import Testing

@testable import Rendering

@Suite struct PacketGridTests {
  private let grid = PacketGrid(frame: 1024, padding: 1024, packets: 100)

  @Test("a packet of the grid decodes to the samples of its frame") func aPacketDecodesToItsFrame()
  {
    #expect(grid.start(of: 0) == -1024 && grid.start(of: 3) == 2048)
    #expect(grid.packet(of: 2047) == 2 && grid.packet(of: 2048) == 3)
    #expect(grid.packet(of: -5) == 1 && grid.packet(of: 1 << 40) == 99)
  }

  /// Windows are two frames long, so the packet before reaches into the same samples.
  @Test func theWindowsOfTwoPacketsReachOverASample() {
    #expect(grid.packets(over: 2048..<2049) == 2...3)
    #expect(grid.packets(over: 2047..<2049) == 1...3)
    #expect(grid.packets(over: -300..<10) == 0...1)
    #expect(grid.widened(1...98, before: 4, after: 4) == 0...99)
  }

  @Test func peaksThatLieCloseShareAJob() {
    let peaks = [5000, 9000, 60_000].map { PeakLocator.Peak(position: $0, level: 1) }
    let jobs = PeakJob.jobs(for: peaks, grid: grid) { $0 - 100..<$0 + 100 }
    #expect(jobs.map(\.peaks.count) == [2, 1])
    #expect(jobs.map(\.span) == [4...9, 58...59])
  }

  /// A job's sound must fit in memory, so a dense stretch is cut.
  @Test func aLongStretchIsCutIntoJobs() {
    let grid = PacketGrid(frame: 1024, padding: 1024, packets: 400)
    let peaks = stride(from: Int64(0), to: 300 * 1024, by: 1024)
      .map { PeakLocator.Peak(position: $0, level: 1) }
    let jobs = PeakJob.jobs(for: peaks, grid: grid) { $0 - 100..<$0 + 100 }
    #expect(jobs.count > 2 && jobs.allSatisfy { $0.span.count <= 97 })
    #expect(jobs.flatMap(\.peaks) == peaks)
  }
}
