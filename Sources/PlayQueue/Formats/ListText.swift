// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The lines of a list as text.
struct ListText {
  /// A line that isn't empty.
  struct Line {
    /// Its number, counted from 1.
    let number: Int
    /// Its text without blanks at either end.
    let text: Substring
  }

  /// The lines, without empty ones.
  private(set) var lines: [Line] = []
  /// Notes on what was assumed.
  private(set) var notes: [ListNote] = []
  /// How the bytes were read.
  private(set) var encoding: TextEncoding

  /// Reads `bytes` in the `declared` encoding; without one as UTF-8 and, where that is invalid, as
  /// Windows-1252 with a note. A byte order mark of UTF-8 or UTF-16 outweighs the declaration; UTF-16
  /// without one is read with a note.
  /// - Throws: ``ListError`` for too many bytes or lines, and for invalid UTF-8 or UTF-16 where that is declared.
  init(_ bytes: [UInt8], declared: TextEncoding?) throws(ListError) {
    guard bytes.count <= ListLimits.documentBytes else {
      throw ListError(
        .inputUnreadable,
        "the list has \(bytes.count) bytes, and at most \(ListLimits.documentBytes) are read; "
          + "split it")
    }
    if let wide = WideText(bytes) {
      encoding = .utf8
      guard wide.isValid else {
        throw ListError(.inputUnreadable, "the list isn't valid UTF-16; convert it to UTF-8")
      }
      if wide.isAssumed {
        notes.append(
          ListNote(
            .encodingAssumed, "the list has no byte order mark and was read as UTF-16"))
      }
      try split(wide.utf8[...])
      return
    }
    let body = bytes.withoutByteOrderMark
    let hasMark = body.count < bytes.count
    encoding = hasMark ? .utf8 : declared ?? .utf8
    if encoding == .utf8, String(validating: body, as: UTF8.self) == nil {
      guard declared == nil, !hasMark else {
        throw ListError(
          .inputUnreadable, "the list isn't valid UTF-8; state its text encoding, or convert it")
      }
      encoding = .windows1252
      notes.append(
        ListNote(
          .encodingAssumed, "the list isn't valid UTF-8 and was read as Windows-1252"))
    }
    try split(body)
  }

  /// Cuts at CR, LF and CR LF; both are bytes of their own in every encoding here, never parts of a character.
  private mutating func split(_ body: ArraySlice<UInt8>) throws(ListError) {
    var number = 1
    var start = body.startIndex
    var position = start
    while position < body.endIndex {
      let byte = body[position]
      if byte == 0x0A || byte == 0x0D {
        try append(body[start..<position], number: number)
        if byte == 0x0D, position + 1 < body.endIndex, body[position + 1] == 0x0A { position += 1 }
        number += 1
        start = position + 1
      }
      position += 1
    }
    try append(body[start...], number: number)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>, number: Int) throws(ListError) {
    guard bytes.count <= ListLimits.lineBytes else {
      throw ListError(
        .inputUnreadable, line: number,
        "the line has \(bytes.count) bytes, and at most \(ListLimits.lineBytes) are read")
    }
    guard let decoded = encoding.text(bytes) else {
      throw ListError(
        .inputUnreadable, line: number,
        "the line isn't valid \(encoding.rawValue); state another text encoding, or convert the list to UTF-8"
      )
    }
    let text = ListWord.trimmed(decoded[...])
    guard !text.isEmpty else { return }
    guard lines.count < ListLimits.lines else {
      throw ListError(
        .inputUnreadable, line: number,
        "the list has more than \(ListLimits.lines) lines; split it")
    }
    lines.append(Line(number: number, text: text))
  }
}

/// Small pieces of text that all lists share.
///
/// All of them look at single scalars: a blank or a quote with a combining mark behind it is one character to
/// Swift, and none of these.
enum ListWord {
  /// The text without blanks and tabs at either end.
  static func trimmed(_ text: Substring) -> Substring {
    var rest = text.unicodeScalars
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return Substring(rest)
  }

  /// The first word in front of a blank or tab, and the trimmed rest.
  static func split(_ text: Substring) -> (word: Substring, rest: Substring) {
    let word = text.unicodeScalars.prefix { !isBlank($0) }
    return (Substring(word), trimmed(Substring(text.unicodeScalars[word.endIndex...])))
  }

  /// The last word behind a blank or tab, and the trimmed text in front; `nil` for a single word.
  static func splitLast(_ text: Substring) -> (rest: Substring, word: Substring)? {
    let scalars = text.unicodeScalars
    guard let blank = scalars.lastIndex(where: isBlank) else { return nil }
    let word = scalars[scalars.index(after: blank)...]
    return (trimmed(Substring(scalars[..<blank])), Substring(word))
  }

  /// The text in quotes at the beginning of `text`, up to the last quote, so that quotes inside are kept,
  /// and the trimmed rest; `nil` without a quote at the beginning. A quote that never closes ends with its text.
  static func quotation(_ text: Substring) -> (inside: Substring, rest: Substring)? {
    let scalars = text.unicodeScalars
    guard scalars.first == "\"" else { return nil }
    let inside = scalars.dropFirst()
    guard let close = inside.lastIndex(of: "\"") else { return (Substring(inside), "") }
    return (
      Substring(inside[..<close]), trimmed(Substring(inside[inside.index(after: close)...]))
    )
  }

  /// The text in front of the first `sign` and, trimmed, the text behind it; `nil` without one.
  static func divided(
    _ text: Substring, at sign: Unicode.Scalar
  ) -> (front: Substring, behind: Substring)? {
    let scalars = text.unicodeScalars
    guard let place = scalars.firstIndex(of: sign) else { return nil }
    return (
      Substring(scalars[..<place]), trimmed(Substring(scalars[scalars.index(after: place)...]))
    )
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  /// A whole number of 1 to `digits` ASCII digits; `nil` for anything else. `digits` is at most 18.
  static func whole(_ text: Substring, digits: Int) -> Int64? {
    let bytes = text.utf8
    guard (1...digits).contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return bytes.reduce(0) { $0 * 10 + Int64($1 - 48) }
  }

  /// Seconds with a decimal point, exactly; at most ten digits in front and nine behind it.
  static func seconds(_ text: Substring) -> MediaTime? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = whole(first, digits: 10) else { return nil }
    guard parts.count == 2 else { return MediaTime(ticks: whole, rate: 1) }
    guard let part = Self.whole(parts[1], digits: 9) else { return nil }
    let rate = parts[1].utf8.reduce(Int64(1)) { power, _ in power * 10 }
    return MediaTime(ticks: whole * rate + part, rate: rate)
  }

  /// The text in quotes for a message, cut to 80 characters and without control characters.
  static func quoted(_ text: some StringProtocol) -> String {
    let shown = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(80).filter { $0.properties.generalCategory != .control }))
    return "\"\(shown)\(text.unicodeScalars.count > 80 ? "…" : "")\""
  }
}

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
