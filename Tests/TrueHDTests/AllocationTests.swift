// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Once it has begun, decoding asks for no memory.
@Suite(.tags(.system), .fullRunOnly) struct AllocationTests {
  @Test(
    "decoding allocates no memory per unit",
    .enabled(if: TrueHDOracle.isPresent, "../shared is missing"),
    arguments: [
      "truehd/oracle/real/fba_atmos_cbi.mlp", "truehd/oracle/real/fba_192k_8ch.mlp",
      "truehd/oracle/real/fba_176k.mlp",
    ])
  func needsNoMemoryPerUnit(name: String) throws {
    let stream = try #require(SharedMedia.beside(name))
    let counter = try #require(Product.program("TrueHDBench"))
    let text = String(decoding: try Tool.run(counter, [stream]).output, as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains(": 0 allocations,") }, "\(text)")
  }
}
