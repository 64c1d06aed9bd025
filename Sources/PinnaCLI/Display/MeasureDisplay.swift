import AudioCore
import MediaIn
import Rendering
import Synchronization

/// Shows how far a run over several files is: one bar for all on a terminal, or one JSON object a
/// line for each file.
final class MeasureDisplay: Sendable {
  private struct State {
    /// Part of each file that is done, 0…1; never decreases.
    var parts: [Double]
    var ended = 0
    var lastShown = 0.0
    var hasBar = false
  }

  private let start = ProgressDisplay.now
  private let drawsBar: Bool
  /// One for each file; they write only in the style `ndjson`.
  private let lines: [ProgressDisplay]
  private let state: Mutex<State>

  /// A display for the files at `paths`; `auto` becomes a bar on a terminal and nothing elsewhere.
  init(style: ProgressDisplay.Style, paths: [String], isQuiet: Bool) {
    drawsBar = style == .auto && !isQuiet && Terminal.isInteractive
    let lineStyle: ProgressDisplay.Style = style == .ndjson ? .ndjson : .none
    lines = MeasureDisplay.jobs(paths).map {
      ProgressDisplay(style: lineStyle, job: $0, isQuiet: isQuiet)
    }
    state = Mutex(State(parts: [Double](repeating: 0, count: paths.count)))
  }

  /// Names the jobs. A file given twice is two jobs, so that the count of neither goes back.
  private static func jobs(_ paths: [String]) -> [String] {
    var seen: [PathName: Int] = [:]
    return paths.map(WebAddress.withoutCredentials).map { path in
      seen[PathName(path), default: 0] += 1
      let count = seen[PathName(path)] ?? 1
      return count == 1 ? path : "\(path) (\(count))"
    }
  }

  /// Shows how far the file with this index is.
  func show(_ progress: RenderProgress, of index: Int) {
    lines[index].show(progress)
    guard drawsBar, let total = progress.total, total > 0 else { return }
    let part = min(1, Double(progress.done) / Double(total))
    state.withLock { state in
      state.parts[index] = max(state.parts[index], part)
      draw(&state)
    }
  }

  /// Notes that the file with this index is measured.
  func finish(_ index: Int) {
    lines[index].finish()
    end(index, nil)
  }

  /// Marks the file with this index as failed, and prints the reason.
  func fail(_ index: Int, _ sentence: String) { end(index, sentence) }

  /// Clears the bar.
  func clear() { state.withLock { MeasureDisplay.wipe(&$0) } }

  private func end(_ index: Int, _ sentence: String?) {
    state.withLock { state in
      state.parts[index] = 1
      state.ended += 1
      if let sentence {
        MeasureDisplay.wipe(&state)
        Terminal.complain(sentence)
      }
      if drawsBar { draw(&state) }
    }
  }

  /// Draws the bar, at most ten times a second.
  private func draw(_ state: inout State) {
    let now = ProgressDisplay.now
    guard now - state.lastShown >= 0.1 else { return }
    state.lastShown = now
    state.hasBar = true
    let part = state.parts.reduce(0, +) / Double(max(1, state.parts.count))
    var text = "measuring " + ProgressDisplay.bar(part: part, elapsed: now - start)
    if state.parts.count > 1 { text += ", \(state.ended) of \(state.parts.count) files" }
    Terminal.overdraw(text)
  }

  private static func wipe(_ state: inout State) {
    guard state.hasBar else { return }
    state.hasBar = false
    Terminal.overdraw()
  }
}
