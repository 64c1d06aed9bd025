import AudioCore

/// A queue that was read from a list of another program, and what there is to say about it.
package struct ReadQueue: Sendable, Equatable {
  /// The queue. Paths are relative to the list's folder.
  package let queue: PlayQueue
  /// For each item the line that it stands on, from 1; `nil` where it isn't known.
  package let lines: [Int?]
  /// What was assumed, replaced or left out.
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
