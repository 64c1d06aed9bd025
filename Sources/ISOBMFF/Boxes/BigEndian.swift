extension Array where Element == UInt8 {
  /// The 16-bit value at `offset`; 0 beyond the end.
  func bigEndian16(at offset: Int) -> UInt16 {
    guard offset >= 0, offset + 2 <= count else { return 0 }
    return UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
  }

  /// The 32-bit value at `offset`; 0 beyond the end.
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
  }

  /// The 64-bit value at `offset`; 0 beyond the end.
  func bigEndian64(at offset: Int) -> UInt64 {
    UInt64(bigEndian32(at: offset)) << 32 | UInt64(bigEndian32(at: offset + 4))
  }
}
