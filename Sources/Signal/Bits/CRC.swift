// SPDX-License-Identifier: Apache-2.0

// The sums of whole files are made by these loops. The compiler doesn't make them for one type of sums in other modules where
// they are `package`: 50 MB a second instead of 1.5 GB.

/// A cyclic redundancy check: the remainder of bytes, taken as a polynomial over GF(2), by a generator.
public struct CRC<Sum: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// Bytes that are taken at a time.
  @usableFromInline static var step: Int { 8 }

  /// Whether the lowest bit of each byte comes first.
  @usableFromInline let isReflected: Bool
  /// The checksum of each single byte with 0 to 7 bytes of zeros behind it, 256 values each. The part that the next byte meets
  /// is on top; in reflected sums it is lowest, so that their bytes are swapped.
  @usableFromInline let table: [Sum]

  /// The check with a generator whose bits stand in `polynomial` in the usual order, but for the highest.
  public init(_ polynomial: Sum, isReflected: Bool = false) {
    let mirrored = (0..<Sum.bitWidth).reduce(0 as Sum) { $0 << 1 | polynomial >> Sum($1) & 1 }
    // The checksum `sum` of some bytes with a byte of zeros behind them.
    func advanced(_ sum: Sum) -> Sum {
      (0..<8).reduce(sum) { sum, _ in
        isReflected
          ? sum >> 1 ^ (sum & 1 == 0 ? 0 : mirrored)
          : sum << 1 ^ (sum.leadingZeroBitCount > 0 ? 0 : polynomial)
      }
    }
    var table = (0..<256).map {
      advanced(isReflected ? Sum($0) : Sum($0) << Sum(Sum.bitWidth - 8))
    }
    for index in 256..<256 * CRC.step { table.append(advanced(table[index - 256])) }
    self.isReflected = isReflected
    self.table = isReflected ? table.map(\.byteSwapped) : table
  }

  /// The checksum of `bytes` behind others that have the checksum `start`.
  @inlinable
  public func of(_ bytes: UnsafeBufferPointer<UInt8>, from start: Sum = 0) -> Sum {
    table.withUnsafeBufferPointer { table in
      var sum = isReflected ? start.byteSwapped : start
      var place = 0
      // The checksum so far changes as many of the next bytes as it has; each byte then counts by itself.
      while bytes.count - place >= CRC.step {
        var next: Sum = 0
        for index in 0..<CRC.step {
          let change = index < Sum.bitWidth / 8 ? CRC.byte(index, of: sum) : 0
          next ^= table[256 * (CRC.step - 1 - index) + Int(bytes[place + index] ^ change)]
        }
        sum = next
        place += CRC.step
      }
      while place < bytes.count {
        sum = sum << 8 ^ table[Int(bytes[place] ^ CRC.byte(0, of: sum))]
        place += 1
      }
      return isReflected ? sum.byteSwapped : sum
    }
  }

  /// The checksum of `bytes` behind others that have the checksum `start`.
  @inlinable
  public func of(_ bytes: some Sequence<UInt8>, from start: Sum = 0) -> Sum {
    bytes.withContiguousStorageIfAvailable { of($0, from: start) }
      ?? Array(bytes).withUnsafeBufferPointer { of($0, from: start) }
  }

  /// Byte `index` from the top.
  @inlinable
  static func byte(_ index: Int, of sum: Sum) -> UInt8 {
    UInt8(truncatingIfNeeded: sum &>> Sum(truncatingIfNeeded: Sum.bitWidth - 8 - 8 * index))
  }
}

/// The checksums that formats use.
public enum Checksums {
  /// AC-3 and E-AC-3 (ETSI TS 102 366, 6.10.1), sync frames of AC-4 (TS 103 190-1, Annex G): x¹⁶ + x¹⁵ + x² + 1.
  public static let dolby = CRC<UInt16>(0x8005)
  /// The info frame of MP3, by LAME: the same generator, from the lowest bit on.
  public static let mp3 = CRC<UInt16>(0x8005, isReflected: true)
  /// Headers of FLAC's frames (RFC 9639, 9.1.8): x⁸ + x² + x + 1.
  public static let flacHeader = CRC<UInt8>(0x07)
  /// Pages of Ogg (RFC 3533, 6), which begin with zeros, and sections of transport streams (ISO/IEC 13818-1, Annex A), which
  /// begin with ones.
  public static let oggPage = CRC<UInt32>(0x04C1_1DB7)
}
