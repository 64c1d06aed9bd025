// SPDX-License-Identifier: Apache-2.0

/// Bits that tests write, most significant first.
struct MadeBits {
  private var bits: [UInt8] = []

  /// The bits, with zeros up to the next byte.
  var bytes: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (start..<start + 8).reduce(0) { $0 << 1 | ($1 < bits.count ? bits[$1] : 0) }
    }
  }

  /// Appends the low `count` bits of `value`.
  mutating func append(_ value: Int, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(UInt8(value >> bit & 1)) }
  }

  /// Appends `variable_bits` in groups of `count` bits (ETSI TS 103 190-1, 4.2.2).
  mutating func variable(_ value: Int, _ count: Int) {
    if value >> count > 0 {
      variable(value >> count - 1, count)
      // The group before says that another one follows.
      bits[bits.count - 1] = 1
    }
    append(value, count)
    append(0, 1)
  }

  /// Appends a container of payloads, each a number below 31 and its bytes.
  mutating func container(_ payloads: [(id: Int, bytes: [UInt8])]) {
    var body = MadeBits()
    body.append(0, 5)
    for (id, bytes) in payloads {
      body.append(id, 5)
      // No offset, duration, group or codec data; the payload may be left out where it is unknown.
      body.append(0b00001, 5)
      body.variable(bytes.count, 8)
      for byte in bytes { body.append(Int(byte), 8) }
    }
    body.append(0, 5)
    // Protection without bits, and zeros.
    body.append(0, 4)
    append(0x5838, 16)
    append(body.bytes.count, 16)
    for byte in body.bytes { append(Int(byte), 8) }
  }
}

/// The access units of an input of the fuzzer.
enum FuzzedUnits {
  /// Units of `bytes`, whose first one chooses options; its bit 0 says that each unit is still two payloads.
  static func units(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
    let units = pieces(bytes.dropFirst())
    return (bytes.first ?? 0) & 1 == 0 ? units : units.map(wrapped)
  }

  /// A sync word 0x0B77 begins each unit; only the first one may lack it. More than 8 tell nothing new.
  private static func pieces(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var unit: [UInt8] = []
    for byte in bytes {
      if byte == 0x77, unit.last == 0x0B, unit.count > 1 {
        units.append(unit.dropLast())
        unit = [0x0B]
      }
      unit.append(byte)
    }
    return Array((units + [unit]).prefix(8))
  }

  /// A unit of the payloads that `piece` holds: behind the sync word the size of the metadata, two bytes, then
  /// these, then the coefficients. So damage reaches payloads without breaking the container.
  private static func wrapped(_ piece: [UInt8]) -> [UInt8] {
    guard piece.count > 4 else { return piece }
    let payloads = piece.dropFirst(4)
    let size = min(payloads.count, Int(piece[2]) << 8 | Int(piece[3]))
    var bits = MadeBits()
    // At no byte border.
    bits.append(0x0B77, 19)
    bits.container([
      (id: 11, bytes: Array(payloads.prefix(size))),
      (id: 14, bytes: Array(payloads.dropFirst(size))),
    ])
    return bits.bytes
  }
}
