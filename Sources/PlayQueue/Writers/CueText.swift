// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Writes cue sheets.
enum CueText {
  private static let rules = WriterRules(
    format: .cue, keys: [.start, .end, .title],
    itemTags: [.artist, .composer, .isrc, .date, .genre, .comment, .track],
    queueTags: [.album, .artist, .composer, .date, .genre, .comment, .disc])
  private static let remarks: [(tag: QueueTag, key: String)] = [
    (.date, "DATE"), (.genre, "GENRE"), (.comment, "COMMENT"), (.disc, "DISCNUMBER"),
  ]
  private static let names: [(tag: QueueTag, key: String)] = [
    (.artist, "PERFORMER"), (.composer, "SONGWRITER"),
  ]

  /// The text of `queue`, which has been validated.
  ///
  /// A track ends where the next one begins, or with its file. So an item has to go on where the one before
  /// ends, or both have to meet at the end of one file and the start of the next.
  /// - Throws: ``QueueFault`` for anything else, for times that aren't whole frames of 1/75 s, for track numbers
  ///   that don't rise and for more than 99 items.
  static func text(of queue: PlayQueue) throws(QueueFault) -> String {
    try rules.check(queue)
    var lines = tagLines(queue.tags, indent: "")
    if let album = queue.tags[QueueTag.album.rawValue] { lines.append("TITLE \"\(album)\"") }
    var track = 0
    for (index, item) in queue.items.enumerated() {
      guard case .file(let path, _, let range) = item.source else { continue }
      let number = index + 1
      let start = try frames(range.start, number, .start)
      if let end = range.end { _ = try frames(end, number, .end) }
      if !queue.continues(index) {
        try checkBorder(queue, index, start)
        let name = WriterText.withoutDrive(try rules.path(path, item: number))
        lines.append("FILE \"\(name)\" \(kind(path))")
      }
      track = try trackNumber(item, number, after: track)
      lines.append("  TRACK \((Int64(track)).padded(2)) AUDIO")
      if let title = try rules.title(item, number: number) {
        lines.append("    TITLE \"\(title)\"")
      }
      lines += tagLines(item.tags, indent: "    ")
      if let isrc = item.tags[QueueTag.isrc.rawValue] { lines.append("    ISRC \"\(isrc)\"") }
      lines.append("    INDEX 01 \(time(start))")
    }
    if let last = queue.items.last, case .file(_, _, let range) = last.source, range.end != nil {
      throw rules.fault(
        "the last track lasts until its file ends", item: queue.items.count, key: "end")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Refuses an item that isn't the beginning of a file right behind the end of another.
  private static func checkBorder(
    _ queue: PlayQueue, _ index: Int, _ start: Int64
  ) throws(QueueFault) {
    if index > 0, case .file(_, _, let before) = queue.items[index - 1].source, before.end != nil {
      throw rules.fault(
        "the track has to end with its file, or where the next one begins", item: index,
        key: "end")
    }
    guard start == 0 else {
      throw rules.fault(
        "the track has to begin with its file, or where the one before ends", item: index + 1,
        key: "start")
    }
  }

  private static func frames(
    _ time: TimeSpec, _ item: Int, _ key: ItemDraft.Key
  ) throws(QueueFault) -> Int64 {
    let exact = try rules.time(time, item: item, key: key)
    let (scaled, isTooLong) = exact.ticks.multipliedReportingOverflow(by: CueSheet.framesPerSecond)
    let (frames, rest) = scaled.quotientAndRemainder(dividingBy: exact.rate)
    // 999999 minutes are the most that a reader takes.
    guard !isTooLong, rest == 0, exact.ticks / exact.rate / 60 < 1_000_000 else {
      throw rules.fault(
        "the time isn't a whole number of frames of 1/75 s", item: item, key: key.rawValue)
    }
    return frames
  }

  private static func kind(_ path: String) -> String {
    let path = path.lowercased()
    if path.hasSuffix(".mp3") { return "MP3" }
    return path.hasSuffix(".aiff") || path.hasSuffix(".aif") ? "AIFF" : "WAVE"
  }

  private static func trackNumber(
    _ item: QueueItem, _ number: Int, after last: Int
  ) throws(QueueFault) -> Int {
    let key = QueueTag.track.rawValue
    var track = number
    if let text = item.tags[key] {
      guard let stated = Int(text), "\(stated)" == text else {
        throw rules.fault("a track's number has digits only", item: number, key: key)
      }
      track = stated
    }
    guard track > last, track <= ListLimits.cueTracks else {
      throw rules.fault("track numbers have to rise from 1 to 99", item: number, key: key)
    }
    return track
  }

  private static func tagLines(_ tags: [String: String], indent: String) -> [String] {
    remarks.compactMap { tag, key in
      tags[tag.rawValue].map { "\(indent)REM \(key) \"\($0)\"" }
    }
      + names.compactMap { tag, key in
        tags[tag.rawValue].map { "\(indent)\(key) \"\($0)\"" }
      }
  }

  private static func time(_ frames: Int64) -> String {
    let rate = CueSheet.framesPerSecond
    return [frames / rate / 60, frames / rate % 60, frames % rate].map { $0.padded(2) }
      .joined(separator: ":")
  }
}
