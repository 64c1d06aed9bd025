// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import IAMF

/// Sequences with one fault each, and what the hand-over guide says of them.
@Suite(.tags(.media), .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct HostileTests {
  /// Samples that are presented, where it isn't the 64 of the sequence without a fault, or nothing.
  private static let lengths: [String: Int64] = [
    "obu-size-beyond-end": 48, "descriptors-only": 0, "trim-larger-than-frame": 48,
    "trim-both-ends-overlap": 48, "second-sequence": 128, "leb128-nine-bytes": 0,
    "leb128-over-32-bits": 0,
  ]

  private static func cases() throws -> [(name: String, expect: String, bytes: [UInt8])] {
    let list = try IAMFOracle.json("hostile.json")["cases"] as? [[String: Any]] ?? []
    return list.map { item in
      (
        item["name"] as? String ?? "", item["expect"] as? String ?? "",
        SyntheticUnit.bytes(hex: item["hex"] as? String ?? "")
      )
    }
  }

  @Test(
    "each of 53 faulty sequences plays, is damaged or is refused as listed, with the listed length")
  func everyFaultHasItsVerdict() throws {
    let cases = try HostileTests.cases()
    #expect(cases.count == 53)
    for (name, expect, bytes) in cases {
      do {
        var reader = try RawSequenceReader(bytes: bytes)
        var clock = TrimmingClock()
        while let unit = try reader.next() {
          let mix = reader.description.playableMixes[0]
          let count = try #require(reader.description.samples(of: unit, mix), "\(name)")
          _ = clock.range(count, unit.trim(reader.description.neededSubstreams))
        }
        let verdict = reader.findings.isDamaged ? "damage" : "play"
        #expect(verdict == expect, "\(name): \(reader.findings)")
        let length = HostileTests.lengths[name] ?? 64
        #expect(clock.presented == length, "\(name): \(clock)")
      } catch let error as IAMFError {
        #expect(expect == "refuse", "\(name): \(error)")
      }
    }
  }

  /// A refusal says why, in words that fit a message.
  @Test("the error of a refused sequence contains its reason, such as 13 bits or 7 layers")
  func refusalsNameTheirReason() throws {
    let reasons = [
      "both-profiles-unknown": "profiles 200 and 201", "wrong-ia-code": "ia_code",
      "unknown-codec": "xyz1", "lpcm-13-bits": "13 bits", "two-sub-mixes": "2 sub-mixes",
      "reserved-rendering-mode": "headphones_rendering_mode",
      "same-parameter-two-types": "parameter 9", "ambisonics-5-channels": "5 channels",
      "new-sequence-other-rate": "from 48000 to", "seven-layers": "7 layers",
      "obu-over-2MiB": "an OBU of",
    ]
    for (name, _, bytes) in try HostileTests.cases() {
      guard let reason = reasons[name] else { continue }
      let error = #expect(throws: IAMFError.self) {
        var reader = try RawSequenceReader(bytes: bytes)
        while try reader.next() != nil {}
      }
      #expect(error?.description.contains(reason) == true, "\(name): \(String(describing: error))")
    }
  }
}
