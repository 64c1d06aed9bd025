/// The bytes of integers, the least significant one first.
enum LittleEndianBytes {
  /// As many bytes as `value` has.
  static func of(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
