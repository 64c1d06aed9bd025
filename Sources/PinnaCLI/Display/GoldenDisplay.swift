import Report
import Synchronization

/// Shows goldens as they end: one line each, or one JSON object in each line.
final class GoldenDisplay: Sendable {
  private let style: ProgressDisplay.Style
  private let count: Int
  private let isQuiet: Bool
  private let done = Mutex(0)

  /// A display for `count` goldens; `auto` prints a line for each, or only failures when `isQuiet`.
  init(style: ProgressDisplay.Style, count: Int, isQuiet: Bool) {
    self.style = style
    self.count = count
    self.isQuiet = isQuiet
  }

  /// Shows a golden that has ended.
  func show(_ entry: GoldenReport.Entry) {
    done.withLock { done in
      done += 1
      if style == .ndjson {
        let event = GoldenEvent(id: entry.id, status: entry.status, done: done, total: count)
        if let line = Figures.line(event) { Terminal.error(line) }
        return
      }
      if entry.status == "failed" {
        for failure in entry.failures {
          Terminal.error(PlainText.lines(["FAILED  \(entry.id)  \(failure)"]))
        }
      } else if style == .auto, !isQuiet {
        let notes = entry.notes.isEmpty ? "" : "  (\(entry.notes.joined(separator: "; ")))"
        Terminal.error(PlainText.lines(["ok      \(entry.id)\(notes)"]))
      }
    }
  }
}
