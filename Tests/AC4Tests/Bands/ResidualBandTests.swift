// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// The bands of shorter windows that residuals reach over, against the printed tables.
@Suite struct ResidualBandTests {
  private struct Entry: Decodable {
    let cols: [Int]
    let rows: [[Int]]
  }

  private struct Tables: Decodable {
    let max_sfb_master_map: [String: Entry]
    let n_side_bits: [String: Int]
  }

  @Test(
    "residual bands are those of the standard's tables", .tags(.media),
    .enabled(if: Oracle.isPresent, "../shared is missing"))
  func areThoseOfTheTables() throws {
    let tables = try JSONDecoder().decode(
      Tables.self, from: Data(contentsOf: URL(fileURLWithPath: Oracle.path("../tables/sfb.json"))))
    for (length, width) in tables.n_side_bits {
      #expect(TransformSizes.sideBits(length: try #require(Int(length))) == width)
    }
    var checked = 0
    for frameLength in [2048, 1920, 1536, 1024, 960, 768, 512, 384] {
      let sizes = TransformSizes(frameLength: frameLength)
      for other in 0..<sizes.count {
        guard let entry = tables.max_sfb_master_map[String(sizes.length(other))] else { continue }
        for index in 0..<other {
          let column = try #require(entry.cols.firstIndex(of: sizes.length(index)))
          for (count, row) in entry.rows.enumerated() where count <= sizes.bandCount(other) {
            #expect(sizes.bands(index, reaching: count, of: other) == row[column])
            checked += 1
          }
        }
      }
    }
    #expect(checked > 1000)
  }
}
