// SPDX-License-Identifier: Apache-2.0
extension Sequence<UInt8> {
  /// All bytes as one number, the highest first; those that it has no room for are lost at the front.
  @inlinable
  package func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
    reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }
}

extension BidirectionalCollection<UInt8> {
  /// All bytes as one number, the lowest first; those that it has no room for are lost at the end.
  @inlinable
  package func littleEndian<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) -> Number {
    reversed().bigEndian()
  }
}

extension [UInt8] {
  /// The number of two bytes at `offset`, the highest first; 0 beyond the end.
  @inlinable
  package func bigEndian16(at offset: Int) -> UInt16 {
    guard offset >= 0, offset <= count - 2 else { return 0 }
    return UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
  }

  /// The number of four bytes at `offset`, the highest first; a half beyond the end counts as 0.
  @inlinable
  package func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
  }

  /// The number of eight bytes at `offset`, the highest first; a quarter beyond the end counts as 0.
  @inlinable
  package func bigEndian64(at offset: Int) -> UInt64 {
    UInt64(bigEndian32(at: offset)) << 32 | UInt64(bigEndian32(at: offset + 4))
  }

  /// The number at `offset`, the lowest byte first; 0 where it reaches beyond the end.
  @inlinable
  package func littleEndian<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self, at offset: Int
  ) -> Number {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, offset <= count - size else { return 0 }
    return withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type))
    }
  }
}

extension FixedWidthInteger {
  /// The bytes of the number, the highest first.
  @inlinable
  package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

  /// The bytes of the number, the lowest first.
  @inlinable
  package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

/// Reads bytes from the front on.
package struct ByteReader {
  /// The bytes that are left.
  package private(set) var rest: ArraySlice<UInt8>

  /// A reader of `bytes`.
  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next `count` bytes; `nil` where there are fewer, of which none is taken.
  package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
