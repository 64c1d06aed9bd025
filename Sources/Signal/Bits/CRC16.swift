/// The checksum of AC-3, E-AC-3 (ETSI TS 102 366, 6.10.1) and sync frames of AC-4 (TS 103 190-1, Annex G): generator
/// x¹⁶ + x¹⁵ + x² + 1, initial value 0, most significant bit first.
package enum CRC16 {
  /// Bytes that are taken at a time.
  private static let step = 8

  /// The checksum of each single byte with 0 to 7 bytes of zeros behind it, 256 values each.
  private static let table: [UInt16] = {
    var table = (0..<256).map { index in advanced(UInt16(index) << 8) }
    for index in 256..<256 * step { table.append(advanced(table[index - 256])) }
    return table
  }()

  /// The checksum `sum` of some bytes with a byte of zeros behind them.
  private static func advanced(_ sum: UInt16) -> UInt16 {
    (0..<8).reduce(sum) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
  }

  /// The checksum of `bytes`.
  package static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt16 {
    table.withUnsafeBufferPointer { table in
      var sum: UInt16 = 0
      var rest = bytes[...]
      // The checksum so far only changes the next two bytes; each byte then counts by itself.
      while rest.count >= step {
        let first = rest.startIndex
        var next = table[256 * 7 + Int(bytes[first] ^ UInt8(truncatingIfNeeded: sum >> 8))]
        next ^= table[256 * 6 + Int(bytes[first + 1] ^ UInt8(truncatingIfNeeded: sum))]
        for place in 2..<step { next ^= table[256 * (7 - place) + Int(bytes[first + place])] }
        sum = next
        rest = rest.dropFirst(step)
      }
      for byte in rest { sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)] }
      return sum
    }
  }

  /// The checksum of `bytes`.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.withContiguousStorageIfAvailable(of) ?? Array(bytes).withUnsafeBufferPointer(of)
  }
}
