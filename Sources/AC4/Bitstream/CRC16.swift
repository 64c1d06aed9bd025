/// The checksum of a sync frame: generator x¹⁶ + x¹⁵ + x² + 1, initial value 0, most significant bit first
/// (TS 103 190-1, Annex G).
enum CRC16 {
  /// The checksum of each single byte.
  private static let table: [UInt16] = (0..<256).map { index in
    var value = UInt16(index) << 8
    for _ in 0..<8 { value = value & 0x8000 != 0 ? value << 1 ^ 0x8005 : value << 1 }
    return value
  }

  /// The checksum of `bytes`.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
    table.withUnsafeBufferPointer { table in
      var sum: UInt16 = 0
      for byte in bytes { sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)] }
      return sum
    }
  }
}
