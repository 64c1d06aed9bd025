// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Markup

/// Writes queues as text, so that the format's reader makes the same queue of it.
package struct QueueWriter {
  /// The text of `queue` in `format`. Its paths are relative to where the text will lie.
  /// - Throws: ``QueueFault`` with item and key for what the format can't hold, and what
  ///   ``PlayQueue/validate()`` finds.
  package static func text(
    of queue: PlayQueue, as format: QueueFormat
  ) throws(QueueFault) -> String {
    try queue.validate()
    switch format {
    case .queue: return try QueueFileText.text(of: queue)
    case .cue: return try CueText.text(of: queue)
    case .m3u: return try FileListText.text(of: queue)
    case .xspf: return try XSPFText.text(of: queue)
    case .pls: return try PLSText.text(of: queue)
    case .otio: return try OTIOText.text(of: queue)
    }
  }
}

/// Writes lists of files in M3U8.
enum FileListText {
  private static let rules = WriterRules(
    format: .m3u, keys: [.start, .end, .title], queueTags: [.title, .album, .artist])
  private static let tags: [(tag: QueueTag, key: String)] = [
    (.title, "#PLAYLIST"), (.album, "#EXTALB"), (.artist, "#EXTART"),
  ]

  /// The text of `queue`, which has been validated.
  /// - Throws: ``QueueFault`` for times that aren't decimal seconds, and for what M3U has no place for.
  static func text(of queue: PlayQueue) throws(QueueFault) -> String {
    try rules.check(queue)
    var lines = ["#EXTM3U"]
    for (tag, key) in tags {
      if let text = queue.tags[tag.rawValue] { lines.append("\(key):\(text)") }
    }
    for (index, item) in queue.items.enumerated() {
      guard case .file(let path, _, let range) = item.source else { continue }
      let number = index + 1
      if let title = try rules.title(item, number: number) {
        // −1 is a length that isn't known.
        lines.append("#EXTINF:-1,\(title)")
      }
      if !range.start.isZero {
        lines.append("#EXTVLCOPT:start-time=\(try seconds(range.start, number, .start))")
      }
      if let end = range.end {
        lines.append("#EXTVLCOPT:stop-time=\(try seconds(end, number, .end))")
      }
      lines.append(address(try rules.path(path, item: number)))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func seconds(
    _ time: TimeSpec, _ item: Int, _ key: ItemDraft.Key
  ) throws(QueueFault) -> String {
    let exact = try rules.time(time, item: item, key: key)
    guard let text = WriterText.seconds(exact) else {
      throw rules.fault(
        "the time has more than nine digits after the point", item: item, key: key.rawValue)
    }
    return text
  }

  /// The path itself where a reader takes it as it is, else an address.
  static func address(_ path: String) -> String {
    let scalars = path.unicodeScalars
    let isOdd =
      scalars.first == "#" || scalars.first == " " || scalars.last == " " || scalars.contains(":")
    return isOdd ? "file:" + WriterText.encoded(path) : path
  }
}

/// Writes playlists in PLS.
enum PLSText {
  private static let rules = WriterRules(format: .pls, keys: [.title])

  /// The text of `queue`, which has been validated.
  /// - Throws: ``QueueFault`` for what PLS has no place for.
  static func text(of queue: PlayQueue) throws(QueueFault) -> String {
    try rules.check(queue)
    var lines = ["[playlist]"]
    for (index, item) in queue.items.enumerated() {
      guard let path = item.file else { continue }
      let number = index + 1
      lines.append(
        "File\(number)=\(FileListText.address(try rules.path(path, item: number)))")
      if let title = try rules.title(item, number: number) {
        lines.append("Title\(number)=\(title)")
      }
    }
    lines += ["NumberOfEntries=\(queue.items.count)", "Version=2"]
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Writes playlists in XSPF 1.
enum XSPFText {
  private static let rules = WriterRules(
    format: .xspf, keys: [.title], itemTags: [.artist, .album, .comment, .track],
    queueTags: [.title, .artist, .comment, .date])
  // In the order of the standard's schema.
  private static let playlistTags: [(tag: QueueTag, name: String)] = [
    (.title, "title"), (.artist, "creator"), (.comment, "annotation"), (.date, "date"),
  ]
  private static let trackTags: [(tag: QueueTag, name: String)] = [
    (.artist, "creator"), (.comment, "annotation"), (.album, "album"), (.track, "trackNum"),
  ]

  /// The text of `queue`, which has been validated.
  /// - Throws: ``QueueFault`` for what XSPF has no place for.
  static func text(of queue: PlayQueue) throws(QueueFault) -> String {
    try rules.check(queue)
    var xml = XMLWriter()
    xml.begin("playlist", [("version", "1"), ("xmlns", "http://xspf.org/ns/0/")])
    for (tag, name) in playlistTags {
      if let text = queue.tags[tag.rawValue] { xml.element(name, [], text) }
    }
    xml.begin("trackList")
    for (index, item) in queue.items.enumerated() {
      guard let path = item.file else { continue }
      let number = index + 1
      xml.begin("track")
      xml.element("location", [], WriterText.encoded(try rules.path(path, item: number)))
      if let title = try rules.title(item, number: number) { xml.element("title", [], title) }
      for (tag, name) in trackTags {
        if let text = item.tags[tag.rawValue] { xml.element(name, [], text) }
      }
      xml.end()
    }
    xml.end()
    xml.end()
    return String(decoding: xml.bytes, as: UTF8.self)
  }
}
