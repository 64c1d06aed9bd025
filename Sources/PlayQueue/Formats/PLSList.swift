// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A playlist in PLS: `FileN`, `TitleN` and `LengthN` below `[playlist]`.
///
/// `LengthN` is rounded or wrong, so it is never a length.
package struct PLSList: Sendable, Equatable {
  /// One file.
  package struct Entry: Sendable, Equatable {
    /// The path below the list's folder.
    package let path: String
    /// `TitleN`; `nil` without one.
    package let title: String?
    /// The line of `FileN`.
    package let line: Int
  }

  /// The files in the order of their numbers; at least one.
  package private(set) var entries: [Entry] = []
  /// Notes on what was assumed, replaced or left out.
  package private(set) var notes: [ListNote] = []

  private var files: [Int64: (address: Substring, line: Int)] = [:]
  private var titles: [Int64: (text: Substring, line: Int)] = [:]

  /// Reads a list. Keys come in any letter case.
  /// - Parameter encoding: The declared encoding; `nil` for UTF-8, else Windows-1252 with a note.
  /// - Throws: ``ListError`` for lists inside the list, names outside of the folder, missing files, numbers
  ///   that stand twice, and more than ``ListLimits/entries``.
  package init(
    _ bytes: [UInt8], encoding: TextEncoding? = nil, in folder: ListFolder
  ) throws(ListError) {
    let text = try ListText(bytes, declared: encoding)
    notes = text.notes
    guard let first = text.lines.first, first.text.lowercased() == "[playlist]" else {
      throw ListError(.inputUnreadable, "the list has to begin with [playlist]; add that line")
    }
    for line in text.lines.dropFirst() { try read(line) }
    let search = NameSearch(folder: folder)
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      let found = try search.find(
        address: String(file.address), isEncoded: false, line: file.line)
      if let note = found.note { notes.keep(note) }
      let title = titles.removeValue(forKey: number)?.text
      entries.append(
        Entry(
          path: found.path, title: title.flatMap { $0.isEmpty ? nil : String($0) },
          line: file.line))
    }
    guard !entries.isEmpty else {
      throw ListError(.inputUnreadable, "the list names no file; write File1= and a name")
    }
    for (number, title) in titles.sorted(by: { $0.key < $1.key }) {
      notes.keep(
        ListNote(.ignored, line: title.line, "Title\(number) has no File\(number) and no effect"))
    }
    titles = [:]
    files = [:]
  }

  private mutating func read(_ line: ListText.Line) throws(ListError) {
    // A semicolon begins a comment.
    guard line.text.first != ";" else { return }
    guard let (front, value) = ListWord.divided(line.text, at: "=") else {
      return noteUnknown(String(line.text), line.number)
    }
    let key = ListWord.trimmed(front).lowercased()
    let name = key.prefix { !("0"..."9").contains($0) }
    let number = ListWord.whole(key[name.endIndex...], digits: 9)
    switch (name, number) {
    case ("file", let number?):
      guard files[number] == nil else { throw PLSList.twice("File", number, line.number) }
      guard files.count < ListLimits.entries else {
        throw ListError(
          .inputUnreadable, line: line.number,
          "the list has more than \(ListLimits.entries) files; split it")
      }
      files[number] = (value, line.number)
    case ("title", let number?):
      guard titles[number] == nil else { throw PLSList.twice("Title", number, line.number) }
      titles[number] = (value, line.number)
    case ("length", _?), ("numberofentries", nil), ("version", nil): break
    default: noteUnknown(key, line.number)
    }
  }

  private mutating func noteUnknown(_ key: String, _ line: Int) {
    notes.keep(
      ListNote(
        .unknownLine, line: line, "the key \(ListWord.quoted(key)) isn't known and has no effect"))
  }

  private static func twice(_ key: String, _ number: Int64, _ line: Int) -> ListError {
    ListError(
      .inputUnreadable, line: line, "\(key)\(number) stands in the list twice; remove one of them")
  }

  /// Compares what was read.
  package static func == (left: PLSList, right: PLSList) -> Bool {
    left.entries == right.entries && left.notes == right.notes
  }
}

extension ReadQueue {
  /// The queue of a list: one item for each file.
  package init(_ list: PLSList) {
    let items = list.entries.map { entry in
      var item = QueueItem(.file(path: entry.path, track: nil, range: QueueRange()))
      item.title = entry.title
      return item
    }
    self.init(
      PlayQueue(items), lines: list.entries.map(\.line), notes: list.notes, title: nil)
  }
}
