// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Files with random faults get their tags or are refused; nothing traps, and nothing goes on without end.
@Suite(
  .tags(.system, .slow), .fullRunOnly, .enabled(if: TagScript.isInstalled, TagScript.absence))
struct HostileTagTests {
  /// A generator with a seed (PCG without its output permutation), so that a failure can be repeated.
  private struct Numbers {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ numbers: inout Numbers) {
    for _ in 0..<1 + numbers.next(below: 10) {
      // Half of the faults lie in the headers.
      let reach = numbers.next(below: 2) == 0 ? min(4096, bytes.count) : bytes.count
      let values = [0, 0xFF, UInt8(numbers.next(below: 256))]
      bytes[numbers.next(below: reach)] = values[numbers.next(below: 3)]
    }
    if numbers.next(below: 12) == 0 { bytes.removeLast(numbers.next(below: bytes.count)) }
  }

  @Test("random faults", arguments: TaggedMedia.rows)
  func randomFaults(row: TaggedMedia.Row) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(row.name)
    try TaggedMedia.make(row, at: path)
    try TagScript.write("full-stale", to: path)
    let whole = Array(try TaggedMedia.bytes(path))
    var tagged = 0
    for seed in 1...Soak.rounds(40, soak: 4000) {
      var numbers = Numbers(state: UInt64(seed))
      var bytes = whole
      HostileTagTests.damage(&bytes, &numbers)
      try Data(bytes).write(to: folder.url(row.name))
      let change = TagReplacement(LoudnessTags(trackGain: 2, trackPeak: 0.25))
      do {
        _ = try change.apply(to: path, digest: { _ in [] })
        #expect(try change.apply(to: path, digest: { _ in [] }) == .unchanged, "seed \(seed)")
        tagged += 1
      } catch let error as MediaError {
        #expect(error.kind != .internal, "seed \(seed): \(error)")
        #expect(try TaggedMedia.bytes(path).elementsEqual(bytes), "seed \(seed)")
      }
      #expect(folder.contents == [row.name])
    }
    #expect(tagged > 0)
  }
}
