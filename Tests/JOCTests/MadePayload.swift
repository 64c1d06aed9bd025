// SPDX-License-Identifier: Apache-2.0

/// Payloads that tests write.
enum MadePayload {
  /// Bytes from hexadecimal digits.
  static func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { (index: Int) -> UInt8 in
      UInt8(16 * digits[index] + digits[index + 1])
    }
  }
}
