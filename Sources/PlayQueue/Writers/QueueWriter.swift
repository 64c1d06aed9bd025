import AudioCore

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
        "the time has more than nine digits behind the point", item: item, key: key.rawValue)
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
