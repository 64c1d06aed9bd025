// SPDX-License-Identifier: Apache-2.0
import Signal

/// The parts of an access unit: its head and directory are read and checked, the segments of its substreams only found.
struct AccessUnit {
  /// Bytes of a unit's head, and the least that a unit can have.
  static let headLength = 4
  static let leastLength = 8
  /// Most bytes that a unit can have.
  static let mostLength = 2 * 0xFFF

  /// When the unit enters a decoder's buffer, in samples modulo 65536.
  private(set) var inputTiming = 0
  /// Major sync; `nil` in most units.
  private(set) var sync: MajorSync?
  /// Substreams.
  private(set) var count = 0
  /// First byte after the last segment.
  private(set) var extraStart = 0
  private var starts = SIMD4<Int32>(repeating: 0)
  private var ends = SIMD4<Int32>(repeating: 0)
  private var checked = 0
  private var controlled = 0
  private var gains = SIMD4<Int32>(repeating: 0)
  private var times = SIMD4<Int32>(repeating: 0)

  /// Number of bytes that the unit at byte `start` says to have; `nil` where its head isn't all there.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int = 0) -> Int? {
    guard start + 2 <= bytes.count else { return nil }
    return 2 * ((Int(bytes[start]) << 8 | Int(bytes[start + 1])) & 0xFFF)
  }

  /// Reads the unit that `bytes` are.
  /// - Parameter substreams: those of the last major sync; 0 before any.
  /// - Throws: ``TrueHDError``.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, substreams: Int, _ checks: UnitChecks
  ) throws(TrueHDError) {
    guard bytes.count >= AccessUnit.leastLength, AccessUnit.length(bytes) == bytes.count else {
      throw .damaged("unit's length")
    }
    inputTiming = Int(bytes[2]) << 8 | Int(bytes[3])
    count = substreams
    var place = AccessUnit.headLength
    let behind = UnsafeBufferPointer(rebasing: bytes[place...])
    if MajorSync.begins(behind) {
      let found = try MajorSync(behind, checks)
      (sync, count) = (found, found.substreams)
      place += found.length
    }
    guard count > 0 else { throw .damaged("a unit before the first major sync") }
    let end = try readDirectory(bytes, place)
    let sum =
      UnitChecks.parity(bytes[..<AccessUnit.headLength])
      ^ UnitChecks.parity(bytes[place..<end])
    guard (sum >> 4 ^ sum) & 0xF == 0xF else { throw .damaged("parity of a unit's head") }
    try placeSegments(from: end, within: bytes.count)
  }

  /// Reads the directory; answers the byte behind it.
  private mutating func readDirectory(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) throws(TrueHDError) -> Int {
    var bits = BitReader(bytes)
    bits.position = 8 * start
    guard start <= bytes.count else { throw .damaged("directory") }
    for index in 0..<count {
      let hasExtra = try bits.flag()
      // Whether a restart header is missing can be seen in the segment itself.
      try bits.skip(1)
      if try bits.flag() { checked |= 1 << index }
      try bits.skip(1)
      ends[index] = Int32(try bits.read(12))
      if hasExtra {
        controlled |= 1 << index
        gains[index] = Int32(try bits.signed(9))
        times[index] = Int32(try bits.read(3))
        try bits.skip(4)
      }
    }
    return bits.position / 8
  }

  /// Turns the ends, in words from the first segment, into bytes of the unit.
  private mutating func placeSegments(from start: Int, within size: Int) throws(TrueHDError) {
    var last = start
    for index in 0..<count {
      let end = start + 2 * Int(ends[index])
      guard end >= last, end <= size else { throw .damaged("directory") }
      (starts[index], ends[index]) = (Int32(last), Int32(end))
      last = end
    }
    extraStart = last
  }

  /// Bytes of a substream's segment.
  func segment(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(ends[index]) }

  /// Whether a segment ends with parity and CRC.
  func isChecked(_ index: Int) -> Bool { checked >> index & 1 == 1 }

  /// Dynamic range control that the unit sends for a substream; `nil` where it sends none.
  func control(_ index: Int) -> RangeControl? {
    controlled >> index & 1 == 0
      ? nil : RangeControl(gain: Int(gains[index]), time: Int(times[index]))
  }
}

/// Dynamic range control of a substream. A lossless decoder reports it and doesn't apply it.
package struct RangeControl: Equatable, Sendable {
  /// Gain in 64ths of a factor of 2, −256…255.
  package let gain: Int
  /// The next gain comes after 2^time units at the latest, 0…7.
  package let time: Int
}

/// The questions that a reader of containers has about a unit before it is decoded.
package enum TrueHDUnit {
  /// Number of bytes that the unit at the beginning of `bytes` says to have; `nil` for fewer than two bytes.
  package static func length(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    AccessUnit.length(bytes)
  }

  /// When the unit that `bytes` begin with enters a decoder's buffer, in samples modulo 65536; `nil` for fewer than four bytes.
  package static func inputTiming(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    bytes.count >= AccessUnit.headLength ? Int(bytes[2]) << 8 | Int(bytes[3]) : nil
  }

  /// Whether a major sync lies in the unit that `bytes` begin with, so that decoding may begin there.
  package static func hasMajorSync(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count >= AccessUnit.leastLength
      && MajorSync.begins(UnsafeBufferPointer(rebasing: bytes[AccessUnit.headLength...]))
  }
}
