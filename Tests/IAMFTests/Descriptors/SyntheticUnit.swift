// SPDX-License-Identifier: Apache-2.0
@testable import IAMF

/// Bytes of the bitstream that tests make.
enum SyntheticUnit {
  static func bytes(hex: String) -> [UInt8] {
    var result: [UInt8] = []
    var high: UInt8?
    for digit in hex.compactMap(\.hexDigitValue) {
      if let first = high {
        result.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return result
  }

  /// A number in base 128, of at least `size` bytes.
  static func leb128(_ value: Int, size: Int = 1) -> [UInt8] {
    var (rest, result) = (value, [UInt8]())
    repeat {
      result.append(UInt8(rest & 127) | 128)
      rest >>= 7
    } while rest > 0 || result.count < size
    result[result.count - 1] &= 127
    return result
  }

  /// A unit of the bitstream.
  static func obu(
    _ type: Int, _ payload: [UInt8], isRedundant: Bool = false, trim: (start: Int, end: Int)? = nil,
    extensionBytes: [UInt8]? = nil
  ) -> [UInt8] {
    var content: [UInt8] = []
    if let trim { content += leb128(trim.end) + leb128(trim.start) }
    if let bytes = extensionBytes { content += leb128(bytes.count) + bytes }
    content += payload
    let flags = (isRedundant ? 4 : 0) | (trim == nil ? 0 : 2) | (extensionBytes == nil ? 0 : 1)
    return [UInt8(type << 3 | flags)] + leb128(content.count) + content
  }
}
