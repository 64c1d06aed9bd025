// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A list of files in M3U or M3U8.
///
/// `#EXTINF` gives titles only: its seconds are rounded or wrong, so they are never a length.
package struct FileList: Sendable, Equatable {
  /// The kind of a text in the form of M3U.
  package enum Kind: Sendable {
    /// HTTP Live Streaming (RFC 8216): some line begins with `#EXT-X-`.
    case stream
    /// A list of files.
    case files
  }

  /// One file, or a part of it.
  package struct Entry: Sendable, Equatable {
    /// The path below the list's folder.
    package let path: String
    /// The text of `#EXTINF`; `nil` without one.
    package let title: String?
    /// Start of the part in the file; `nil` for the file's start.
    package let start: MediaTime?
    /// End of the part in the file; `nil` for the file's end.
    package let end: MediaTime?
    /// The line that names the file.
    package let line: Int
  }

  /// The title of the list (`#PLAYLIST`).
  package private(set) var title: String?
  /// The album (`#EXTALB`).
  package private(set) var album: String?
  /// The artist (`#EXTART`).
  package private(set) var artist: String?
  /// The files in their order; at least one.
  package private(set) var entries: [Entry] = []
  /// Notes on what was assumed or left out.
  package private(set) var notes: [ListNote] = []

  /// Tells a list of files from HTTP Live Streaming by content; the name says nothing.
  package static func kind(of bytes: [UInt8]) -> Kind {
    let bytes = WideText(bytes)?.utf8 ?? bytes
    let lines = bytes.withoutByteOrderMark.split { $0 == 0x0A || $0 == 0x0D }
    return lines.contains { line in
      line.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "#EXT-X-".utf8)
    } ? .stream : .files
  }

  /// Reads a list.
  /// - Parameters:
  ///   - name: The list's file name; `.m3u8` is always UTF-8.
  ///   - encoding: The declared encoding; `nil` for UTF-8, else Windows-1252 with a note.
  /// - Throws: ``ListError`` for HTTP Live Streaming, lists inside the list, names outside of the folder,
  ///   missing files and more than ``ListLimits/entries``.
  package init(
    _ bytes: [UInt8], name: String, encoding: TextEncoding? = nil, in folder: ListFolder
  ) throws(ListError) {
    guard FileList.kind(of: bytes) == .files else {
      throw ListError(
        .unsupportedFeature,
        "is a playlist of HTTP Live Streaming, not a list of files; open it alone")
    }
    let isUTF8 = name.lowercased().hasSuffix(".m3u8")
    let text = try ListText(bytes, declared: isUTF8 ? .utf8 : encoding)
    notes = text.notes
    var pending = Pending()
    for line in text.lines {
      if line.text.unicodeScalars.first == "#" {
        try readTag(line, &pending)
      } else {
        try readName(line, pending, folder)
        pending = Pending()
      }
    }
    guard !entries.isEmpty else {
      throw ListError(.inputUnreadable, "the list names no file; write one name on each line")
    }
  }

  /// The values of tags for the next file.
  private struct Pending {
    var title: String?
    var start: MediaTime?
    var end: MediaTime?
  }

  private mutating func readTag(_ line: ListText.Line, _ pending: inout Pending) throws(ListError) {
    guard let (key, value) = ListWord.divided(line.text, at: ":") else { return }
    switch key.uppercased() {
    case "#PLAYLIST": title = String(value)
    case "#EXTALB": album = String(value)
    case "#EXTART": artist = String(value)
    case "#EXTINF": pending.title = FileList.titleOfEntry(value)
    case "#EXTVLCOPT": try readOption(value, line.number, &pending)
    default: break  // Any other line that begins with # is a comment.
    }
  }

  /// Text after the first comma that isn't in the quotes of an attribute.
  private static func titleOfEntry(_ value: Substring) -> String? {
    var isQuoted = false
    let scalars = value.unicodeScalars
    for position in scalars.indices {
      if scalars[position] == "\"" { isQuoted.toggle() }
      guard scalars[position] == ",", !isQuoted else { continue }
      let title = ListWord.trimmed(Substring(scalars[scalars.index(after: position)...]))
      return title.isEmpty ? nil : String(title)
    }
    return nil
  }

  private mutating func readOption(
    _ option: Substring, _ line: Int, _ pending: inout Pending
  ) throws(ListError) {
    let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let key = ListWord.trimmed(parts.first ?? "").lowercased()
    guard key == "start-time" || key == "stop-time" else {
      notes.keep(
        ListNote(
          .unknownLine, line: line,
          "the option \(ListWord.quoted(key)) isn't known and has no effect"))
      return
    }
    guard parts.count == 2, let time = ListWord.seconds(ListWord.trimmed(parts[1])) else {
      throw ListError(
        .inputUnreadable, line: line,
        "\(key) has to be seconds such as 12.5, at most nine digits after the point")
    }
    if key == "start-time" { pending.start = time } else { pending.end = time }
  }

  private mutating func readName(
    _ line: ListText.Line, _ pending: Pending, _ folder: ListFolder
  ) throws(ListError) {
    guard entries.count < ListLimits.entries else {
      throw ListError(
        .inputUnreadable, line: line.number,
        "the list has more than \(ListLimits.entries) files; split it")
    }
    let found = try NameSearch(folder: folder).find(
      address: String(line.text), isEncoded: false, line: line.number)
    let start = pending.start ?? MediaTime(ticks: 0, rate: 1)
    if let end = pending.end, end <= start {
      throw ListError(
        .inputUnreadable, line: line.number,
        "the stop-time of \(ListWord.quoted(found.path)) isn't after its start-time; correct one of them"
      )
    }
    if let note = found.note { notes.keep(note) }
    entries.append(
      Entry(
        path: found.path, title: pending.title, start: pending.start, end: pending.end,
        line: line.number))
  }
}
