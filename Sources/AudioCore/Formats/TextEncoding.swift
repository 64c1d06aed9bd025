// SPDX-License-Identifier: Apache-2.0

/// How the bytes of a text become characters.
public enum TextEncoding: String, Sendable, CaseIterable, Codable {
  /// UTF-8, with or without a byte order mark.
  case utf8 = "utf-8"
  /// Windows code page 1252 (Western Europe).
  case windows1252 = "windows-1252"
  /// Windows code page 1251 (Cyrillic).
  case windows1251 = "windows-1251"
  /// Shift-JIS as Windows writes it, code page 932 (Japanese).
  case shiftJIS = "shift-jis"
  /// GB 18030, of which GBK is a part (simplified Chinese).
  case gb18030
  /// Big5 (traditional Chinese).
  case big5
  /// EUC-KR as Windows writes it, code page 949 (Korean).
  case eucKR = "euc-kr"

  /// The encoding that Windows numbers `codePage`; `nil` where it is none of these.
  package init?(codePage: Int) {
    switch codePage {
    case 65_001: self = .utf8
    // 28591 is ISO 8859-1, and 1004 what Windows 3 called the same; code page 1252 has more characters.
    case 1252, 1004, 28_591: self = .windows1252
    case 1251: self = .windows1251
    case 932: self = .shiftJIS
    case 936, 54_936: self = .gb18030
    case 950: self = .big5
    case 949: self = .eucKR
    default: return nil
    }
  }
}

extension Collection<UInt8> {
  /// The bytes without the byte order mark of UTF-8 that they may begin with.
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
  }
}

/// Text in UTF-16, which Windows calls Unicode where it saves lists and settings.
package struct WideText: Sendable, Equatable {
  /// The text in UTF-8, without the byte order mark; what isn't valid became U+FFFD.
  package let utf8: [UInt8]
  /// Whether every byte belongs to a character.
  package let isValid: Bool
  /// Whether it has no byte order mark, so that its first character decided what it is.
  package let isAssumed: Bool

  /// The text of `bytes`; `nil` for bytes that aren't UTF-16. Without a mark the first character has to be a sign of ASCII
  /// or a line end, as in every list (YAML 1.2, 5.2, tells encodings apart so).
  package init?(_ bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(2))
    guard head.count == 2, let isBigEndian = WideText.isBigEndian(head[0], head[1]) else {
      return nil
    }
    isAssumed = !WideText.isMark(head[0], head[1])
    let body = Array(isAssumed ? bytes[...] : bytes.dropFirst(2))
    let high = isBigEndian ? 0 : 1
    let units = (0..<body.count / 2).map { unit in
      UInt16(body[2 * unit + high]) << 8 | UInt16(body[2 * unit + 1 - high])
    }
    utf8 = Array(String(decoding: units, as: UTF16.self).utf8)
    isValid = body.count % 2 == 0 && String(validating: units, as: UTF16.self) != nil
  }

  /// Whether the higher byte of each unit comes first; `nil` where the first two bytes are neither a mark nor a character.
  private static func isBigEndian(_ first: UInt8, _ second: UInt8) -> Bool? {
    if isMark(first, second) { return first == 0xFE }
    let isSign: (UInt8) -> Bool = { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
    if second == 0, isSign(first) { return false }
    return first == 0 && isSign(second) ? true : nil
  }

  private static func isMark(_ first: UInt8, _ second: UInt8) -> Bool {
    (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF)
  }
}
