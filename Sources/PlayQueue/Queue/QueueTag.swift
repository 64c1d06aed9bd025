/// The names that a tag of a queue or an item can have; the raw value is the key below `tags` in queue files.
package enum QueueTag: String, Sendable, CaseIterable {
  /// What it is called; of an item, ``QueueItem/title`` says that.
  case title
  /// Who performs.
  case artist
  /// The album or series.
  case album
  /// Who the album is by.
  case albumArtist = "album_artist"
  /// Who wrote the music.
  case composer
  /// When it was published, as it is written.
  case date
  /// The kind of music or speech.
  case genre
  /// Its number on the disc.
  case track
  /// The disc's number.
  case disc
  /// The recording's code of twelve characters.
  case isrc
  /// A remark.
  case comment
  /// Who holds the rights.
  case copyright
  /// What it is about.
  case description

  /// The names for an item, whose title is a key of its own.
  static let ofItem = allCases.filter { $0 != .title }

  /// Checks the names of `tags`; `item` is the item's number from 1, `nil` for the queue.
  /// - Throws: ``QueueFault`` with `unknownKey` or `badValue`.
  static func check(_ tags: [String: String], item: Int?) throws(QueueFault) {
    let allowed = item == nil ? allCases : ofItem
    // Sorted, so that of two faults always the same one is told.
    for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
      guard let tag = QueueTag(rawValue: name), allowed.contains(tag) else {
        throw QueueFault(.unknownKey(allowed: allowed.map(\.rawValue)), item: item, key: name)
      }
      guard !value.isEmpty else {
        throw QueueFault(.badValue(expected: "a text"), item: item, key: name)
      }
    }
  }
}

extension QueueValue {
  /// A mapping of ``QueueTag`` names to texts; an empty text leaves the tag out.
  func tags() throws(QueueFault) -> [String: String] {
    var tags: [String: String] = [:]
    for (tag, value) in try entries(QueueTag.self) where !value.node.isNothing {
      guard item == nil || tag != .title else {
        throw value.fault("the title as a key of the item, not of its tags")
      }
      tags[tag.rawValue] = try value.text()
    }
    return tags
  }
}
