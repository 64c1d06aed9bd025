import AudioCore
import Platform

/// How the bytes of a list become characters.
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

  /// The encoding of this name, in any case; `cp1252`, `cp1251`, `cp932`, `gbk` and `utf8` are known, too.
  /// - Throws: ``ListError`` of kind `unsupportedFeature` that gives the name.
  package static func named(_ name: String) throws(ListError) -> TextEncoding {
    switch name.lowercased() {
    case "utf-8", "utf8": return .utf8
    case "windows-1252", "cp1252": return .windows1252
    case "windows-1251", "cp1251": return .windows1251
    case "shift-jis", "shift_jis", "sjis", "cp932": return .shiftJIS
    case "gb18030", "gbk": return .gb18030
    case "big5": return .big5
    case "euc-kr", "cp949": return .eucKR
    default:
      let known = allCases.map(\.rawValue).joined(separator: ", ")
      throw ListError(
        .unsupportedFeature,
        "the text encoding \(ListWord.quoted(name)) isn't supported; convert the list to UTF-8, "
          + "or use one of \(known)")
    }
  }

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
  func text(_ bytes: ArraySlice<UInt8>) -> String? {
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
