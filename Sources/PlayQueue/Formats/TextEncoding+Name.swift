import AudioCore

extension TextEncoding {
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
}
