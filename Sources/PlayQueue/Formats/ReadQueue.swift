// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A queue that was read from a list of another program, and what there is to say about it.
package struct ReadQueue: Sendable, Equatable {
  /// The queue. Paths are relative to the list's folder.
  package let queue: PlayQueue
  /// For each item the line that it stands on, from 1; `nil` where it isn't known.
  package let lines: [Int?]
  /// Notes on what was assumed, replaced or left out.
  package let notes: [ListNote]
  /// The list's own title; `nil` without one.
  package let title: String?

  init(_ queue: PlayQueue, lines: [Int?], notes: [ListNote], title: String?) {
    self.queue = queue
    self.lines = lines
    self.notes = notes
    self.title = title
  }
}

// MARK: Cue sheets

extension ReadQueue {
  /// The queue of a cue sheet. Each piece of a track is an item, and all but a track's first are parts.
  ///
  /// Album, performer, songwriter, `REM DATE`, `GENRE`, `COMMENT` and `DISCNUMBER` are tags of the queue;
  /// a track has what stands below its own `TRACK`. A track's number is a tag only where it isn't its place.
  package init(_ sheet: CueSheet, gaps: CueGaps = .append) {
    var items: [QueueItem] = []
    var lines: [Int?] = []
    var isCounted = true
    for (place, cueItem) in sheet.items(gaps: gaps).enumerated() {
      let track = sheet.tracks.first { $0.number == cueItem.number }
      if place == 0 { isCounted = track != nil }
      let position = isCounted ? place + 1 : place
      for (index, piece) in cueItem.pieces.enumerated() {
        var item = QueueItem(sheet.source(of: piece))
        if index > 0 {
          item.isPart = true
        } else if let track {
          item.title = ReadQueue.text(track.names.title)
          item.tags = sheet.tags(of: track, place: position)
        } else {
          item.title = "Hidden track"
        }
        items.append(item)
        lines.append(track?.line)
      }
    }
    var queue = PlayQueue(items)
    queue.tags = sheet.discTags
    var notes = sheet.notes
    if let track = sheet.tracks.first(where: { !$0.marks.isEmpty }) {
      notes.keep(
        ListNote(.ignored, line: track.line, "the INDEX lines from 02 on have no effect"))
    }
    self.init(queue, lines: lines, notes: notes, title: ReadQueue.text(sheet.names.title))
  }

  /// A text, or `nil` where nothing stands.
  static func text(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The tags that have a text.
  static func tags(_ texts: [QueueTag: String?]) -> [String: String] {
    var tags: [String: String] = [:]
    for (tag, value) in texts { tags[tag.rawValue] = text(value) }
    return tags
  }
}

extension CueSheet {
  fileprivate func source(of piece: CueItem.Piece) -> QueueSource {
    switch piece {
    case .silence(let length): return .silence(.clock(length))
    case .file(let index, let start, let end):
      return .file(
        path: files[index], track: nil,
        range: QueueRange(start: .clock(start), end: end.map { .clock($0) }))
    }
  }

  private func remark(_ key: String, track: Int?) -> String? {
    remarks.first { $0.key == key && $0.track == track }?.value
  }

  fileprivate var discTags: [String: String] {
    // Remarks above the first TRACK are about the disc.
    ReadQueue.tags([
      .album: names.title, .artist: names.performer, .composer: names.songwriter,
      .date: remark("DATE", track: nil), .genre: remark("GENRE", track: nil),
      .comment: remark("COMMENT", track: nil), .disc: remark("DISCNUMBER", track: nil),
    ])
  }

  fileprivate func tags(of track: Track, place: Int) -> [String: String] {
    ReadQueue.tags([
      .artist: track.names.performer, .composer: track.names.songwriter, .isrc: track.isrc,
      .date: remark("DATE", track: track.number), .genre: remark("GENRE", track: track.number),
      .comment: remark("COMMENT", track: track.number),
      .track: track.number == place ? nil : "\(track.number)",
    ])
  }
}

// MARK: Lists of files

extension ReadQueue {
  /// The queue of a list of files: one item for each entry. Album and artist are tags of the queue.
  package init(_ list: FileList) {
    let items = list.entries.map { entry in
      var item = QueueItem(
        .file(
          path: entry.path, track: nil,
          range: QueueRange(
            start: entry.start.map { .clock($0) } ?? .samples(0),
            end: entry.end.map { .clock($0) })))
      item.title = ReadQueue.text(entry.title)
      return item
    }
    var queue = PlayQueue(items)
    queue.tags = ReadQueue.tags([.album: list.album, .artist: list.artist, .title: list.title])
    self.init(
      queue, lines: list.entries.map(\.line), notes: list.notes,
      title: ReadQueue.text(list.title))
  }
}

/// A note on what a reader of a list assumed, replaced or left out, so that nothing happens silently.
package struct ListNote: Sendable, Equatable {
  /// The kind of a note.
  package enum Code: String, Sendable, CaseIterable {
    /// The text was read as Windows-1252, because it isn't valid UTF-8, or as UTF-16 without a byte order mark.
    case encodingAssumed = "encoding-assumed"
    /// A line or an option isn't known and has no effect.
    case unknownLine = "unknown-line"
    /// A code such as ISRC doesn't have its form; it was kept as it is.
    case oddCode = "odd-code"
    /// Sound lies before the first track; it is kept as item 0.
    case hiddenTrack = "hidden-track"
    /// The file named isn't there; another one takes its place.
    case replacedName = "replaced-name"
    /// A track was recorded with pre-emphasis (50/15 µs).
    case preEmphasis = "pre-emphasis"
    /// A sheet's times may have been counted with or without the delay of an MP3 file.
    case uncertainStart = "uncertain-start"
    /// An effect, a flag or a track of pictures has no influence on what is rendered.
    case ignored
  }

  /// Kind of the note.
  package let code: Code
  /// The line, counted from 1; `nil` for the whole, and for JSON.
  package let line: Int?
  /// One sentence.
  package let message: String

  /// A note with its sentence.
  package init(_ code: Code, line: Int? = nil, _ message: String) {
    self.code = code
    self.line = line
    self.message = message
  }
}

extension [ListNote] {
  /// Appends `note`; one behind the limit says that further ones are left out, and nothing follows it.
  mutating func keep(_ note: ListNote) {
    guard count < ListLimits.notes else {
      if count == ListLimits.notes {
        append(
          ListNote(.ignored, "there are more notes than \(ListLimits.notes); the rest is left out"))
      }
      return
    }
    append(note)
  }
}

/// A reason to refuse a list of another program.
package struct ListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Kind of the failure.
  package let kind: MediaError.Kind
  /// The line, counted from 1; `nil` for a fault of the whole, and for JSON.
  package let line: Int?
  /// Fault and remedy, without the file and the line.
  package let message: String

  /// A refusal with its sentence.
  package init(_ kind: MediaError.Kind, line: Int? = nil, _ message: String) {
    self.kind = kind
    self.line = line
    self.message = message
  }

  /// The place and the sentence.
  package var description: String { line.map { "line \($0): \(message)" } ?? message }

  /// The failure with the list's own name in front.
  package func about(_ list: String) -> MediaError { MediaError(kind, about: list, description) }
}

/// The limits of a list. Real lists stay far below; hostile ones don't.
package enum ListLimits {
  /// Bytes of a list of lines.
  package static let documentBytes = 16 << 20
  package static let lineBytes = 64 << 10
  /// Lines that aren't empty.
  package static let lines = 400_000
  /// Items of one list.
  package static let entries = 100_000
  /// Notes that are kept of one list.
  package static let notes = 100_000
  /// Tracks of a cue sheet; `TRACK` has two digits.
  package static let cueTracks = 99
  /// FILE lines of a cue sheet: one for each track, and as many again for gaps of their own.
  package static let cueFiles = 198
  /// Remarks that are kept of a cue sheet.
  package static let cueRemarks = 10_000
}
