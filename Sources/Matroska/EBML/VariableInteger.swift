// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Integers of one to eight bytes whose first one bit marks their width (RFC 8794, 4).
package enum VariableInteger {
  /// Bytes of the longest integer (RFC 8794, 4.1).
  package static let widest = 8
  /// The largest value that a size can have; one more is the mark of an unknown size (RFC 8794, 6.2).
  package static let largest: UInt64 = 1 << 56 - 2

  /// An integer as it was read.
  package struct Parsed: Sendable, Equatable {
    /// Its value; `nil` where all its value bits are set, which means an unknown size.
    package let value: UInt64?
    /// Its bytes, 1…8.
    package let width: Int
  }

  /// The smallest width that holds `value`, 1…8; values above ``largest`` need 8 and don't fit.
  package static func width(of value: UInt64) -> Int {
    // A width's last value is the mark of an unknown size.
    (1..<widest).first { value < mask($0) } ?? widest
  }

  /// The bytes of `value`, clamped to what the width holds; the smallest width where none is given.
  package static func bytes(_ value: UInt64, width: Int? = nil) -> [UInt8] {
    let width = min(max(1, width ?? self.width(of: value)), widest)
    return marked(min(value, mask(width) - 1), width)
  }

  /// The mark of an unknown size (RFC 8794, 6.2).
  package static func unknown(width: Int = widest) -> [UInt8] {
    let width = min(max(1, width), widest)
    return marked(mask(width), width)
  }

  /// The integer at the front of `bytes`; `nil` where it is cut, or longer than eight bytes.
  package static func parse<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Parsed? {
    guard let first = bytes.first else { return nil }
    let width = first.leadingZeroBitCount + 1
    guard width <= widest, bytes.count >= width else { return nil }
    let value = bytes.prefix(width).bigEndian(UInt64.self) & mask(width)
    return Parsed(value: value == mask(width) ? nil : value, width: width)
  }

  /// The difference at the front of `bytes`, as sizes of laced frames have it: the middle of the range stands for 0
  /// (RFC 9559, 10.3.3).
  static func parseSigned(_ bytes: ArraySlice<UInt8>) -> (value: Int64, width: Int)? {
    guard let parsed = parse(bytes) else { return nil }
    let value = Int64(parsed.value ?? mask(parsed.width))
    return (value - (Int64(1) << Int64(7 * parsed.width - 1) - 1), parsed.width)
  }

  /// The value bits of a width.
  private static func mask(_ width: Int) -> UInt64 { 1 << UInt64(7 * width) - 1 }

  private static func marked(_ value: UInt64, _ width: Int) -> [UInt8] {
    Array((value | 1 << UInt64(7 * width)).bigEndianBytes.suffix(width))
  }
}
