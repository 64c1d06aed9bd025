// SPDX-License-Identifier: Apache-2.0
import Platform
import Rendering
import Report
import Synchronization

/// Shows how far a job is: a bar with the time left on a terminal, or one JSON object a line.
final class ProgressDisplay: Sendable {
  /// Values of `--progress`.
  enum Style: String, CaseIterable {
    case auto
    case none
    case ndjson
  }

  private struct State {
    var lastShown = 0.0
    var pass: RenderProgress.Pass?
    var passStart = 0.0
    var lastDone: Int64 = -1
    var remaining = RemainingTime()
    var hasBar = false
    /// The last progress, as long as it hasn't been shown.
    var held: RenderProgress?
  }

  private let style: Style
  private let job: String
  private let start = ProgressDisplay.now
  private let state = Mutex(State())

  /// Seconds between two lines within a step; a little less than the pace of a run, whose reports would else be dropped.
  private static let interval = 0.095

  /// A display for the job named `job`; `auto` becomes a bar on a terminal and nothing elsewhere.
  init(style: Style, job: String, isQuiet: Bool) {
    self.style = style == .auto && (isQuiet || !Terminal.isInteractive) ? .none : style
    self.job = job
  }

  /// Whether anything is shown.
  var isShown: Bool { style != .none }

  /// Shows `progress`, at most ten times a second.
  func show(_ progress: RenderProgress) {
    guard isShown else { return }
    let now = ProgressDisplay.now
    let line = state.withLock { state -> String? in
      if state.pass != progress.pass {
        state.pass = progress.pass
        state.passStart = now
        state.lastDone = -1
      } else if now - state.lastShown < ProgressDisplay.interval, progress.done != progress.total {
        state.held = progress
        return nil
      }
      // The next track of a file begins below the samples of the one before, of which a reader of lines knows nothing.
      guard style == .auto || progress.done > state.lastDone else { return nil }
      state.held = nil
      (state.lastShown, state.lastDone) = (now, progress.done)
      state.hasBar = style == .auto
      return style == .ndjson
        ? json(progress, max(now - state.passStart, 1e-3))
        : bar(progress, &state.remaining, now - start)
    }
    guard let line else { return }
    if style == .ndjson { Terminal.error(line) } else { Terminal.overdraw(line) }
  }

  /// Shows the last progress if it was held back. That happens at the end of a job whose total was
  /// only an estimate; the total becomes the count that was reached.
  func finish() {
    guard var last = state.withLock({ $0.held }) else { return }
    last.total = last.done
    show(last)
  }

  /// Clears the bar.
  func clear() {
    let hasBar = state.withLock { state in
      defer { state.hasBar = false }
      return state.hasBar
    }
    if hasBar { Terminal.overdraw() }
  }

  private func json(_ progress: RenderProgress, _ elapsed: Double) -> String? {
    let speed = Double(progress.done) / Double(progress.sampleRate) / elapsed
    return Figures.line(
      ProgressEvent(
        job: job, pass: progress.pass, done: progress.done,
        total: progress.total.map { max($0, progress.done) }, speed: Figures.rounded(speed, 1)))
  }

  private func bar(
    _ progress: RenderProgress, _ remaining: inout RemainingTime, _ elapsed: Double
  ) -> String {
    guard let part = progress.fraction else {
      let seconds = Double(progress.done) / Double(max(1, progress.sampleRate))
      return "\(progress.pass.rawValue) \(RemainingTime.text(seconds)) of sound"
    }
    return "\(progress.pass.rawValue) "
      + ProgressDisplay.bar(part: part, remaining.text(part: part, elapsed: elapsed))
  }

  /// A bar with `part` (0…1) of it filled, and the time `left`.
  static func bar(part: Double, _ left: String?) -> String {
    let filled = Int(part * 30)
    let blocks = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    return "\(blocks) \(Figures.padded(Figures.fixed(part * 100, 0), 3, left: true)) %"
      + (left.map { "  \($0) left" } ?? "")
  }

  /// Seconds on a clock that never goes back.
  static var now: Double { SystemClock.steady }
}

/// The time that a job still takes, as it is shown: it never grows.
struct RemainingTime {
  /// Before this part of a job nothing can be said.
  private static let least = 0.03
  private var shown: Double?

  /// The time left of a job of which `part` (0…1) took `elapsed` seconds; `nil` where it isn't known.
  mutating func text(part: Double, elapsed: Double) -> String? {
    guard part >= RemainingTime.least, elapsed >= 1 else { return nil }
    let estimate = elapsed / part - elapsed
    let held = min(shown ?? estimate, estimate)
    shown = held
    // A time that turned out too short isn't repeated.
    guard estimate <= held * 1.5 + 2 else { return nil }
    return RemainingTime.text(held)
  }

  /// Seconds in words.
  static func text(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e7)).rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
