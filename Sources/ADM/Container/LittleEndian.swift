extension Array where Element == UInt8 {
  /// The 16-bit number at `offset`; zero beyond the end.
  func littleEndian16(at offset: Int) -> Int { Int(littleEndian(2, at: offset)) }

  /// The 32-bit number at `offset`; zero beyond the end.
  func littleEndian32(at offset: Int) -> UInt32 { UInt32(littleEndian(4, at: offset)) }

  /// The 64-bit number at `offset`; zero beyond the end.
  func littleEndian64(at offset: Int) -> UInt64 { littleEndian(8, at: offset) }

  private func littleEndian(_ count: Int, at offset: Int) -> UInt64 {
    guard offset >= 0, offset <= self.count - count else { return 0 }
    return self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The text of a field that is padded with zeros or blanks.
  func paddedText(_ range: Range<Int>) -> String {
    let field = self[range.clamped(to: 0..<count)].prefix { $0 != 0 }
    return String(decoding: field.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
  }
}
