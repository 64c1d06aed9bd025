import Foundation
import TestSupport
import Testing

/// Once it has begun, decoding objects asks for no memory.
@Suite(.tags(.system), .fullRunOnly) struct AllocationTests {
  /// Counts allocations; built by a package of its own.
  private static let counter = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build-bench/release/JOCBench").path
  private static let isCounterBuilt = FileManager.default.isExecutableFile(atPath: counter)

  @Test(
    .enabled(if: isCounterBuilt, "make bench-ac4 hasn't built the counter"),
    .enabled(if: CodedObjects.isPresent, "../shared is missing"), arguments: [true, false])
  func needsNoMemoryPerUnit(isReal: Bool) throws {
    let folder = try TemporaryFolder()
    let stream = folder.file("stream.ec3")
    let source = try isReal ? CodedObjects.sample() : CodedObjects.moving()
    try source.data.write(to: URL(fileURLWithPath: stream))
    let text = String(
      decoding: try Tool.run(AllocationTests.counter, [stream]).output, as: UTF8.self)
    #expect(text.hasPrefix("0 allocations in 1992 units"), "\(text)")
  }
}
