// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Once it has begun, decoding objects asks for no memory.
@Suite(.tags(.system), .fullRunOnly) struct AllocationTests {
  @Test(
    "decoding objects allocates no memory in 1992 units",
    .enabled(if: CodedObjects.isPresent, "../shared is missing"), arguments: [true, false])
  func needsNoMemoryPerUnit(isReal: Bool) throws {
    let folder = try TemporaryFolder()
    let stream = folder.file("stream.ec3")
    let source = try isReal ? CodedObjects.sample() : CodedObjects.moving()
    try source.data.write(to: URL(fileURLWithPath: stream))
    let counter = try #require(Product.program("JOCBench"))
    let text = String(decoding: try Tool.run(counter, [stream]).output, as: UTF8.self)
    #expect(text.hasPrefix("0 allocations in 1992 units"), "\(text)")
  }
}
