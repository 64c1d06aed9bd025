// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AC4References

/// Once it has begun, decoding asks for no memory.
@Suite(.tags(.system), .fullRunOnly) struct AllocationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let streams = [
    "2-channels-rate-13", "2-channels-coupled", "2-channels-partlyCoupled",
    "6-channels-widelyCoupled", "8-channels-coupled", "6-channels-rate-1", "objects-moving",
    "objects-extended", "objects-over-a-bed", "12-channels-simple", "12-channels-coupled",
    "12-channels-joint",
  ]

  @Test("decoding allocates no memory per frame", arguments: streams)
  func needsNoMemoryPerFrame(name: String) throws {
    let seed = AllocationTests.root.appendingPathComponent("Tests/Fuzz/Seeds/AC4/\(name).ac4")
    let folder = try TemporaryFolder()
    let stream = folder.file("stream.ac4")
    try Data(AllocationTests.repeated([UInt8](Data(contentsOf: seed)), times: 20))
      .write(to: URL(fileURLWithPath: stream))
    let counter = try #require(Product.program("AC4Bench"))
    let text = String(decoding: try Tool.run(counter, [stream]).output, as: UTF8.self)
    let words = text.split(separator: " ")
    try #require(words.count > 6, "\(text)")
    #expect(words.prefix(5).joined(separator: " ") == "0 allocations in 52 frames,", "\(text)")
    // That it counts at all.
    #expect(try #require(Int(words[5])) > 50)
  }

  /// The frames over and over, counted on as those of one stream are.
  private static func repeated(_ stream: [UInt8], times: Int) -> [UInt8] {
    var all: [UInt8] = []
    var counter = 0
    for _ in 0..<times {
      var at = 0
      while at + 6 <= stream.count {
        let size = 4 + Int(stream[at + 2]) << 8 + Int(stream[at + 3])
        var frame = Array(stream[at..<at + size])
        counter += 1
        frame[4] = frame[4] & 0xC0 | UInt8(counter >> 4)
        frame[5] = frame[5] & 0x0F | UInt8(counter & 15) << 4
        all += frame
        at += size
      }
    }
    return all
  }
}
