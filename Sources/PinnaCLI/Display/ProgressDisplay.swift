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
    var hasBar = false
    /// The last progress, as long as it hasn't been shown.
    var held: RenderProgress?
  }

  private let style: Style
  private let job: String
  private let state = Mutex(State())

  /// A display for the job named `job`; `auto` becomes a bar on a terminal and nothing elsewhere.
  init(style: Style, job: String, isQuiet: Bool) {
    self.style = style == .auto && (isQuiet || !Terminal.isInteractive) ? .none : style
    self.job = job
  }

  /// Shows `progress`, at most ten times a second.
  func show(_ progress: RenderProgress) {
    guard style != .none else { return }
    let now = ProgressDisplay.now
    let line = state.withLock { state -> String? in
      if state.pass != progress.pass {
        state.pass = progress.pass
        state.passStart = now
      } else if now - state.lastShown < 0.1, progress.done != progress.total {
        state.held = progress
        return nil
      }
      state.held = nil
      state.lastShown = now
      let elapsed = max(now - state.passStart, 1e-3)
      state.hasBar = style == .auto
      return style == .ndjson ? json(progress, elapsed) : bar(progress, elapsed)
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

  private func bar(_ progress: RenderProgress, _ elapsed: Double) -> String {
    guard let total = progress.total, total > 0 else {
      return "\(progress.pass.rawValue) \(progress.done) samples"
    }
    let part = min(1, Double(progress.done) / Double(total))
    return "\(progress.pass.rawValue) \(ProgressDisplay.bar(part: part, elapsed: elapsed))"
  }

  /// A bar with `part` (0…1) of it filled, which took `elapsed` seconds, and the time left.
  static func bar(part: Double, elapsed: Double) -> String {
    let filled = Int(part * 30)
    let blocks = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    let left = part > 0.01 ? Figures.fixed(elapsed / part - elapsed, 0) + " s left" : ""
    return "\(blocks) \(Figures.fixed(part * 100, 0)) % \(left)"
  }

  /// Seconds on a clock that never goes back.
  static var now: Double { SystemClock.steady }
}
