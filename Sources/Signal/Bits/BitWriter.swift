// SPDX-License-Identifier: Apache-2.0

/// Collects bit fields, most significant bit first.
package struct BitWriter {
  /// The bytes so far; missing bits of the last one are 0.
  package private(set) var bytes: [UInt8] = []
  private var bitCount = 0

  /// A writer without bits.
  package init() {}

  /// Appends the low `count` bits of `value`, 0…32 of them.
  package mutating func write(_ value: Int, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      if bitCount & 7 == 0 { bytes.append(0) }
      if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(bitCount & 7) }
      bitCount += 1
    }
  }

  /// Appends one bit.
  package mutating func write(_ flag: Bool) { write(flag ? 1 : 0, 1) }

  /// Appends a flag and, when there is a value, its `count` bits.
  package mutating func write(optional value: Int?, _ count: Int) {
    write(value != nil)
    if let value { write(value, count) }
  }

  /// Appends bytes.
  package mutating func write(_ content: [UInt8]) {
    guard bitCount & 7 == 0 else {
      for byte in content { write(Int(byte), 8) }
      return
    }
    bytes += content
    bitCount += 8 * content.count
  }

  /// Fills the last byte with 0 bits.
  package mutating func align() {
    while bitCount & 7 != 0 { write(0, 1) }
  }
}
