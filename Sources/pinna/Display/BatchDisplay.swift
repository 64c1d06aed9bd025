import Batch
import Report

/// Shows a batch while it runs: a dashboard on a terminal, one line an item elsewhere, or one JSON
/// object a line. Used by one thread at a time.
final class BatchDisplay: BatchObserver {
  private let style: ProgressDisplay.Style
  private let isQuiet: Bool
  private let total: Int
  private let start = ProgressDisplay.now
  private var done = 0
  private var failed = 0
  private var cached = 0
  private var dashboard: BatchDashboard?

  /// A display for `total` items on `workers` workers.
  init(style: ProgressDisplay.Style, isQuiet: Bool, total: Int, workers: Int) {
    self.style = style
    self.isQuiet = isQuiet
    self.total = total
    if style == .auto, !isQuiet, Terminal.isInteractive {
      dashboard = BatchDashboard(total: total, places: min(workers, max(1, total)))
    }
  }

  /// The batch begins.
  func begin(_ plan: BatchPlan, shard: Shard?) {
    guard style == .ndjson else { return }
    let part = shard.map { ",\"shard\":\(Figures.quoted($0.text))" } ?? ""
    say(
      "{\"type\":\"batch\",\"event\":\"start\",\"source\":\(Figures.quoted(plan.source)),"
        + "\"total\":\(total)\(part)}")
  }

  /// Nothing is to be drawn any more.
  func finish() { dashboard?.clear() }

  /// The batch has ended.
  func end(_ report: BatchReport) {
    let counts = report.counts
    say(
      "{\"type\":\"batch\",\"event\":\"end\",\"exit\":\(report.exit),\"total\":\(counts.total),"
        + "\"done\":\(counts.done),\"cached\":\(counts.cached),\"failed\":\(counts.failed),"
        + "\"stopped\":\(counts.stopped)}")
  }

  func began(_ name: String, worker: Int, attempt: Int) {
    dashboard?.began(name, at: worker)
    guard style == .ndjson else { return }
    say(
      "{\"type\":\"item\",\"event\":\"start\",\"id\":\(Figures.quoted(name)),"
        + "\"worker\":\(worker + 1),\"attempt\":\(attempt)}")
  }

  func progressed(_ name: String, worker: Int, _ progress: WorkProgress) {
    dashboard?.progressed(at: worker, progress)
    guard style == .ndjson else { return }
    let whole = progress.total.map { ",\"total\":\(max($0, progress.done))" } ?? ""
    say(
      "{\"type\":\"progress\",\"job\":\(Figures.quoted(name)),\"pass\":\"\(progress.pass)\","
        + "\"done\":\(progress.done)\(whole)}")
  }

  func rested(worker: Int) { dashboard?.rested(at: worker) }

  func ended(_ entry: BatchReport.Entry, reason: String?) {
    done += 1
    if entry.cached { cached += 1 }
    if entry.status == .error { failed += 1 }
    if style == .ndjson { return say(json(entry, reason)) }
    dashboard?.count(done: done, failed: failed, cached: cached)
    if entry.status == .error {
      tell("FAILED  \(entry.id)  \(entry.error?.message ?? "")")
    } else if dashboard == nil, style == .auto, !isQuiet, !entry.cached {
      let why = reason.map { "  (again: \($0))" } ?? ""
      tell("\(Figures.padded(entry.status.rawValue, 6))  \(entry.id)\(why)")
    }
  }

  func willRetry(_ name: String, after seconds: Double, because error: RenderReport.Failure) {
    if style == .ndjson {
      return say(
        "{\"type\":\"item\",\"event\":\"retry\",\"id\":\(Figures.quoted(name)),"
          + "\"seconds\":\(Figures.fixed(seconds, 0)),\"error\":{\"kind\":\"\(error.kind)\","
          + "\"message\":\(Figures.quoted(error.message))}}")
    }
    if !isQuiet {
      tell("retry   \(name)  in \(Figures.fixed(seconds, 0)) s: \(error.message)")
    }
  }

  func tick() { dashboard?.draw() }

  private func json(_ entry: BatchReport.Entry, _ reason: String?) -> String {
    var text =
      "{\"type\":\"item\",\"event\":\"end\",\"id\":\(Figures.quoted(entry.id)),\"status\":"
      + "\"\(entry.status.rawValue)\",\"cached\":\(entry.cached),\"exit\":\(entry.exit)"
    if let error = entry.error {
      text +=
        ",\"error\":{\"kind\":\"\(error.kind)\",\"message\":\(Figures.quoted(error.message))}"
    }
    if let reason { text += ",\"again\":\(Figures.quoted(reason))" }
    return text + ",\"done\":\(done),\"total\":\(total)}"
  }

  /// A line that stays.
  private func tell(_ line: String) {
    dashboard?.clear()
    say(line)
    dashboard?.draw(isForced: true)
  }

  private func say(_ line: String) { Terminal.error(line + "\n") }
}
