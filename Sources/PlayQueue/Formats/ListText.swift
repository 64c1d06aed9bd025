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
  /// What was assumed.
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
