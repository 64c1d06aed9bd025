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
