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
