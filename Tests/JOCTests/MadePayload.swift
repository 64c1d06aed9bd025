/// Payloads that tests write.
enum MadePayload {
  /// Bytes from hexadecimal digits.
  static func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(16 * digits[$0] + digits[$0 + 1])
    }
  }
}

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

  /// Appends a container of payloads, each a number below 31 and fewer than 256 bytes.
  mutating func container(_ payloads: [(id: Int, bytes: [UInt8])]) {
    var body = MadeBits()
    body.append(0, 5)
    for (id, bytes) in payloads {
      body.append(id, 5)
      // No offset, duration, group or codec data; the payload may be left out where it is unknown.
      body.append(0b00001, 5)
      body.append(bytes.count, 8)
      body.append(0, 1)
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
