import AudioCore

/// A line of a playlist that is neither empty nor a comment (RFC 8216, 4.1).
package enum PlaylistLine: Equatable {
  /// `#EXT…`: the tag's name with its `#`, and what follows the colon.
  case tag(name: String, value: String)
  /// A URI.
  case uri(String)

  /// Greatest size of a playlist that is read, in bytes.
  static let limit = 32 << 20

  /// Bytes of a file that ``beginsPlaylist(_:)`` looks at: a byte order mark, the first tag, and what follows.
  package static let headLength = 11

  /// Whether `head`, the first ``headLength`` bytes of a file, begins a playlist. A byte order mark, which the standard
  /// forbids, is passed over: some editors write it without being asked.
  package static func beginsPlaylist(_ head: some Collection<UInt8>) -> Bool {
    let tag = "#EXTM3U".utf8
    let head = head.withoutByteOrderMark
    guard head.starts(with: tag) else { return false }
    return head.dropFirst(tag.count).first.map { $0 <= 0x20 } ?? true
  }

  /// The lines of a playlist with their numbers, counted from 1; comments and empty lines are left
  /// out. `nil` when the bytes are no playlist.
  static func lines(of bytes: [UInt8]) -> [(number: Int, line: PlaylistLine)]? {
    guard beginsPlaylist(bytes) else { return nil }
    var result: [(number: Int, line: PlaylistLine)] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, raw) in lines.enumerated().dropFirst() {
      var text = raw
      while let last = text.last, last <= 0x20 { text.removeLast() }
      guard let first = text.first else { continue }
      if first == 0x23 {
        guard text.starts(with: Array("#EXT".utf8)) else { continue }
        let parts = text.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
        result.append(
          (index + 1, .tag(name: String(decoding: parts[0], as: UTF8.self), value: value)))
      } else {
        result.append((index + 1, .uri(String(decoding: text, as: UTF8.self))))
      }
    }
    return result
  }
}
