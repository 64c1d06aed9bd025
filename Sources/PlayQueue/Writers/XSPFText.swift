import Markup

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
