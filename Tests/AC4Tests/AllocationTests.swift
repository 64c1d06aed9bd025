import Foundation
import TestSupport
import Testing

/// Once it has begun, decoding asks for no memory.
@Suite struct AllocationTests {
  private static let streams = [
    "2-channels-rate-13", "2-channels-coupled", "2-channels-partlyCoupled",
    "6-channels-widelyCoupled", "8-channels-coupled", "6-channels-rate-1",
  ]

  @Test(arguments: streams) func needsNoMemoryPerFrame(name: String) throws {
    let bench = URL(fileURLWithPath: Product.path).deletingLastPathComponent()
      .appendingPathComponent("AC4Bench").path
    let seed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fuzz/Seeds/\(name).ac4")
    let folder = try TemporaryFolder()
    let stream = folder.file("stream.ac4")
    let frames = try Data(contentsOf: seed)
    try Data((0..<20).flatMap { _ in frames }).write(to: URL(fileURLWithPath: stream))
    let text = String(decoding: try Tool.run(bench, [stream]).output, as: UTF8.self)
    let words = text.split(separator: " ")
    try #require(words.count > 6, "\(text)")
    #expect(words.prefix(5).joined(separator: " ") == "0 allocations in 52 frames,", "\(text)")
    // That it counts at all.
    #expect(try #require(Int(words[5])) > 50)
  }
}
