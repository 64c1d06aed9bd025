// SPDX-License-Identifier: Apache-2.0
import Platform
import Rendering
import Report
import Synchronization

/// Shows how far several renders are: one bar over all of them on a terminal, or JSON lines of each.
final class JobsProgress: Sendable {
  private struct State {
    var bar: JobsBar
    var lastShown = 0.0
    var isDrawn = false
  }

  /// Seconds between two drawings.
  private static let interval = 0.1

  private let displays: [ProgressDisplay]
  private let hasOneBar: Bool
  private let start = ProgressDisplay.now
  private let state: Mutex<State>

  /// A display for jobs of these `names`.
  init(_ names: [String], style: ProgressDisplay.Style, isQuiet: Bool) {
    hasOneBar = names.count > 1 && style == .auto
    displays = names.map { ProgressDisplay(style: style, job: $0, isQuiet: isQuiet) }
    state = Mutex(State(bar: JobsBar(count: names.count)))
  }

  /// Shows how far the job at `index` is.
  func show(_ index: Int, _ progress: RenderProgress) {
    guard hasOneBar, displays[index].isShown else { return displays[index].show(progress) }
    let now = ProgressDisplay.now
    state.withLock { state in
      state.bar.note(index, part: progress.fraction ?? 0)
      guard now - state.lastShown >= JobsProgress.interval else { return }
      (state.lastShown, state.isDrawn) = (now, true)
      Terminal.overdraw(state.bar.text(elapsed: now - start))
    }
  }

  /// Counts jobs as done, whatever became of them, and prints what came of them where the bar stood; no other job draws meanwhile.
  func end<Value>(_ places: Range<Int>, printing body: () throws -> Value) rethrows -> Value {
    try state.withLock { state in
      for index in places {
        displays[index].clear()
        state.bar.end(index)
      }
      if state.isDrawn { Terminal.overdraw() }
      state.isDrawn = false
      return try body()
    }
  }
}

/// The bar over several jobs. Nobody knows the lengths of files that weren't opened, so that each counts the same.
struct JobsBar {
  /// Part of each job that is done, 0…1.
  private var parts: [Double]
  private var ended: Set<Int> = []
  private var remaining = RemainingTime()

  /// A bar over `count` jobs.
  init(count: Int) { parts = Array(repeating: 0, count: count) }

  /// Notes that `part` (0…1) of the job at `index` is done, unless it was further already.
  mutating func note(_ index: Int, part: Double) { parts[index] = max(parts[index], part) }

  /// Notes the end of the job at `index`.
  mutating func end(_ index: Int) {
    parts[index] = 1
    ended.insert(index)
  }

  /// The bar after `elapsed` seconds.
  mutating func text(elapsed: Double) -> String {
    let part = parts.reduce(0, +) / Double(max(1, parts.count))
    return ProgressDisplay.bar(part: part, remaining.text(part: part, elapsed: elapsed))
      + "  \(ended.count) of \(parts.count) done"
  }
}
