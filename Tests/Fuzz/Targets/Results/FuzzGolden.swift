// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Verify

/// The bytes are a golden's case and its outcome with an empty line between them, or one of both. An outcome is compared
/// with itself and with one whose levels, digests and samples are others.
func fuzzGolden(_ bytes: [UInt8]) {
  let data = Data(bytes)
  let border = data.range(of: Data("\n\n".utf8))
  let (first, second) = (
    data[..<(border?.lowerBound ?? data.endIndex)],
    data[(border?.upperBound ?? data.startIndex)...]
  )
  let golden = try? JSONDecoder().decode(GoldenCase.self, from: first)
  let outcome = try? JSONDecoder().decode(GoldenOutcome.self, from: second)
  if let golden { checkWriting(golden) }
  if let outcome { checkWriting(outcome) }
  guard let golden, let outcome, let recording = golden.recordedBy else { return }
  let comparator = GoldenComparator(golden: golden, expected: outcome, current: recording)
  let same = comparator.compare(outcome)
  let limits = golden.tolerance ?? GoldenCase.Tolerance()
  if limits.loudness >= 0, limits.truePeak ?? 0 >= 0, limits.level >= 0 {
    demand(
      same.failures.allSatisfy { $0.contains("by the oracle") || $0.contains("timeline") },
      "an outcome agrees with itself: \(same.failures)")
  }
  var other = outcome
  for index in other.outputs.indices {
    other.outputs[index].pcmSHA256 += "0"
    other.outputs[index].samples &+= 1
    other.outputs[index].integrated = other.outputs[index].truePeak
    for second in other.outputs[index].fingerprint.channels.indices {
      other.outputs[index].fingerprint.channels[second].reverse()
    }
  }
  _ = comparator.compare(other)
}
