// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A Matroska file whose stored times are changed (RFC 9559).
struct MatroskaBytes {
  /// The file.
  private(set) var data: Data
  /// Offset of each block's time, in ticks of its cluster.
  private var times: [Int] = []
  /// Offset of the segment's duration, a number of eight bytes.
  private var duration: Int?

  /// Elements that are walked into: segment, information and clusters.
  private static let folders: Set<Int> = [0x1853_8067, 0x1549_A966, 0x1F43_B675]

  /// Finds blocks and duration in the file of `data`.
  init(_ data: Data) {
    self.data = data
    walk(0..<data.count)
  }

  /// Changes the time of each block by so many ticks.
  mutating func move(_ ticks: (_ block: Int) -> Int) {
    for (block, place) in times.enumerated() {
      let time = Int16(bitPattern: UInt16(data[place]) << 8 | UInt16(data[place + 1]))
      let moved = UInt16(bitPattern: Int16(clamping: Int(time) + ticks(block)))
      data.replaceSubrange(place..<place + 2, with: [UInt8(moved >> 8), UInt8(moved & 0xFF)])
    }
  }

  /// Changes the stated duration.
  mutating func state(duration ticks: Double) {
    guard let place = duration else { return }
    let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: ticks.bitPattern >> (8 * $0)) }
    data.replaceSubrange(place..<place + 8, with: bytes)
  }

  private mutating func walk(_ range: Range<Int>) {
    var place = range.lowerBound
    while place + 2 < range.upperBound {
      let (kind, body) = number(at: place, keepsMark: true)
      let (size, start) = number(at: body, keepsMark: false)
      let end = min(range.upperBound, start + size)
      switch kind {
      case 0xA3: times.append(start + 1)
      case 0x4489: duration = start
      case let kind where MatroskaBytes.folders.contains(kind): walk(start..<end)
      default: break
      }
      place = end
    }
  }

  /// A number whose first byte marks its length, and the place after it.
  private func number(at place: Int, keepsMark: Bool) -> (value: Int, end: Int) {
    let length = data[place].leadingZeroBitCount + 1
    let value = data[place..<place + length].reduce(0) { $0 << 8 | Int($1) }
    return (keepsMark ? value : value & (1 << (7 * length) - 1), place + length)
  }
}
