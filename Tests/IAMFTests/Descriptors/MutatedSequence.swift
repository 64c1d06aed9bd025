// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import IAMF

/// Sequences with damage.
enum MutatedSequence {
  /// Bytes with a few other bits, perhaps cut.
  static func damaged(
    _ bytes: [UInt8], front: Int, _ random: inout SeededNoise
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let isFront = Bool.random(using: &random)
      let end = isFront ? min(front, bytes.count) : bytes.count
      let place = Int.random(in: 0..<end, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    if Int.random(in: 0..<6, using: &random) == 0 {
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
    }
    return bytes
  }

  /// Descriptors and the first units of every file, and the sequences with faults.
  static func seeds() throws -> [(bytes: [UInt8], front: Int)] {
    var all: [(bytes: [UInt8], front: Int)] = []
    for name in IAMFOracle.rawFiles {
      let bytes = try IAMFOracle.bytes(name)
      let front = try front(bytes)
      all.append((Array(bytes.prefix(front + 9000)), front))
    }
    for name in IAMFOracle.movies {
      let bytes = try IAMFOracle.bytes(name)
      let file = try MediaFile(name)
      let units = try MediaFile.oracleUnits(name)
      let start = try #require(units.first?["offset"] as? Int)
      let rest = bytes[file.descriptorOffset...]
      let front = try front(Array(rest))
      all.append((Array(rest.prefix(front)) + bytes[start..<min(start + 9000, bytes.count)], front))
    }
    let list = try IAMFOracle.json("hostile.json")["cases"] as? [[String: Any]] ?? []
    for item in list {
      let bytes = SyntheticUnit.bytes(hex: item["hex"] as? String ?? "")
      if !bytes.isEmpty { all.append((bytes, 80)) }
    }
    return all
  }

  /// Bytes of the descriptors that `bytes` begin with.
  private static func front(_ bytes: [UInt8]) throws -> Int {
    try bytes.reading { bits throws(IAMFError) in
      while true {
        let start = bits.position / 8
        let kind = try OBU(&bits).kind
        if kind == .parameterBlock || kind == .audioFrame || kind == .temporalDelimiter {
          return start
        }
      }
    }
  }

  /// A sequence of `seeds` with damage, most of it where the descriptors and first headers are.
  static func next(
    _ seeds: [(bytes: [UInt8], front: Int)], _ random: inout SeededNoise
  ) throws -> [UInt8] {
    let seed = try #require(seeds.randomElement(using: &random))
    return damaged(seed.bytes, front: seed.front + 40, &random)
  }
}
