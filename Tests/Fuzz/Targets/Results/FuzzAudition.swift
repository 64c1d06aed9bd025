// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report

/// The bytes are what a listening page saved, of one listener; a summary of it, and of it twice, is made.
func fuzzAudition(_ bytes: [UInt8]) {
  guard let result = try? AuditionResult.parse(Data(bytes), name: "input") else { return }
  for results in [[result], [result, result]] {
    guard let summary = try? AuditionSummary(results) else { continue }
    demand(summary.ways.count == result.ways.count, "each way is in the summary")
    checkWriting(summary)
  }
}
