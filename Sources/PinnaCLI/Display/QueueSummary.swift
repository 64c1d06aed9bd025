import AudioCore
import Report

/// The items of a queue for the terminal.
enum QueueSummary {
  /// Items that a dry run lists; the report has all.
  private static let mostItems = 50

  /// Lines for a queue: how many items there are; with `isDetailed` where each lies, and the chapters.
  static func lines(_ queue: QueueReport, isDetailed: Bool) -> [(String, String)] {
    let reused = queue.items.count { $0.source?.reused == true }
    let cached =
      queue.items.contains { $0.source?.reused != nil } ? ", \(reused) from the cache" : ""
    let total = clock(queue.samples, queue.rate)
    var lines = [
      ("queue", "\(queue.items.count) items, \(total), \(queue.rate) Hz\(cached)")
    ]
    if let former = queue.former { lines.append(("changed", changes(former, queue.rate))) }
    guard isDetailed else { return lines }
    lines += queue.items.prefix(mostItems).map { ("item", item($0, queue.rate)) }
    if queue.items.count > mostItems {
      lines.append(("", "and \(queue.items.count - mostItems) more, see --json"))
    }
    lines += queue.chapters.prefix(mostItems).map { chapter in
      let sample = Int64((chapter.seconds * Double(queue.rate)).rounded())
      return ("chapter", "\(clock(sample, queue.rate)) \(chapter.title)")
    }
    return lines
  }

  /// What differs from the run before.
  private static func changes(_ former: QueueReport.Former, _ rate: Int) -> String {
    guard let first = former.changes.first else { return "nothing since the run before" }
    return
      "from \(clock(first.from, rate)) (sample \(first.from)) on since the run before: \(first.why)"
  }

  private static func item(_ item: QueueReport.Item, _ rate: Int) -> String {
    var words = [
      "\(item.number)", clock(item.start, rate), "+" + clock(item.samples, rate),
      item.source?.path ?? "silence",
    ]
    if let rate = item.source?.rate { words.append("\(rate) Hz") }
    if let overlap = item.crossfade { words.append("crossfade \(clock(overlap, rate))") }
    if item.source?.counted == true { words.append("(length counted by decoding)") }
    return words.joined(separator: "  ")
  }

  /// hh:mm:ss.mmm.
  private static func clock(_ samples: Int64, _ rate: Int) -> String {
    MediaTime(ticks: samples, rate: Int64(rate)).description
  }
}
