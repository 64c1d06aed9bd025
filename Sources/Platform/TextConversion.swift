// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Converts text of other encodings by the C library's iconv.
package enum TextConversion {
  /// The UTF-8 of `bytes`, which are in the encoding that iconv calls `name`; `nil` where they aren't valid in it, or
  /// the system doesn't know it.
  package static func utf8(_ bytes: some Collection<UInt8>, from name: String) -> [UInt8]? {
    #if canImport(Darwin)
      // Darwin has iconv in a library of its own, which nothing else needs.
      return nil
    #else
      let converter = iconv_open("UTF-8", name)
      // (iconv_t)-1 is the failure.
      guard converter != iconv_t(bitPattern: -1) else { return nil }
      defer { iconv_close(converter) }
      var input = bytes.map { CChar(bitPattern: $0) }
      // No character of the encodings here takes more than four times its bytes in UTF-8.
      var output = [CChar](repeating: 0, count: 4 * input.count + 16)
      let (capacity, length) = (output.count, input.count)
      let left = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target -> Int? in
          var (from, to) = (source.baseAddress, target.baseAddress)
          var (rest, room) = (length, capacity)
          let result = iconv(converter, &from, &rest, &to, &room)
          return result == -1 || rest > 0 ? nil : room
        }
      }
      return left.map { room in output[..<(capacity - room)].map { UInt8(bitPattern: $0) } }
    #endif
  }
}

extension TextEncoding {
  /// The name by which iconv knows it; `nil` for those that are read without it.
  private var converter: String? {
    switch self {
    case .utf8, .windows1252, .windows1251: nil
    case .shiftJIS: "CP932"
    case .gb18030: "GB18030"
    case .big5: "BIG5"
    case .eucKR: "CP949"
    }
  }

  /// The characters of `bytes`; bytes that aren't valid UTF-8 become U+FFFD there. `nil` for bytes that aren't valid in
  /// one of the encodings of several bytes a character, or where the system doesn't know it.
  package func text(_ bytes: ArraySlice<UInt8>) -> String? {
    if let converter {
      return TextConversion.utf8(bytes, from: converter).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    guard self != .utf8 else { return String(decoding: bytes, as: UTF8.self) }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(scalar(byte)) }
    return String(text)
  }

  private func scalar(_ byte: UInt8) -> Unicode.Scalar {
    let upper = Int(byte) - 0x80
    guard upper >= 0 else { return Unicode.Scalar(byte) }
    switch self {
    case .windows1252 where upper < TextEncoding.western.count:
      return TextEncoding.western[upper]
    case .windows1251:
      return upper < TextEncoding.cyrillic.count
        // From 0xC0 on, the page is the alphabet in the order of Unicode.
        ? TextEncoding.cyrillic[upper] : Unicode.Scalar(0x0410 + UInt32(upper) - 0x40) ?? "\u{FFFD}"
    default: return Unicode.Scalar(byte)
    }
  }

  /// 0x80…0x9F of code page 1252; its five empty places stay control characters.
  private static let western = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
  /// 0x80…0xBF of code page 1251; its one empty place stays a control character.
  private static let cyrillic = Array(
    ("ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ"
      + "\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї").unicodeScalars)
}
