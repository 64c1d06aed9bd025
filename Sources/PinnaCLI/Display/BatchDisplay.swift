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

  /// Reports the start of the batch.
  func begin(_ plan: BatchPlan, shard: Shard?) {
    guard style == .ndjson else { return }
    var event = BatchEvent(.start, total: total)
    event.source = plan.source
    event.shard = shard?.text
    say(event)
  }

  /// Removes the dashboard.
  func finish() { dashboard?.clear() }

  /// Reports the end of the batch.
  func end(_ report: BatchReport) {
    let counts = report.counts
    var event = BatchEvent(.end, total: counts.total)
    event.exit = report.exit
    event.done = counts.done
    event.cached = counts.cached
    event.failed = counts.failed
    event.stopped = counts.stopped
    say(event)
  }

  func began(_ name: String, worker: Int, attempt: Int) {
    dashboard?.began(name, at: worker)
    guard style == .ndjson else { return }
    var event = ItemEvent(.start, id: name)
    event.worker = worker + 1
    event.attempt = attempt
    say(event)
  }

  func progressed(_ name: String, worker: Int, _ progress: WorkProgress) {
    dashboard?.progressed(at: worker, progress)
    guard style == .ndjson else { return }
    say(
      ProgressEvent(
        job: name, pass: progress.pass, done: progress.done,
        total: progress.total.map { max($0, progress.done) }))
  }

  func rested(worker: Int) { dashboard?.rested(at: worker) }

  func ended(_ entry: BatchReport.Entry, reason: String?) {
    done += 1
    if entry.cached { cached += 1 }
    if entry.status == .error { failed += 1 }
    if style == .ndjson { return say(event(entry, reason)) }
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
      var event = ItemEvent(.retry, id: name)
      event.seconds = Figures.rounded(seconds, 0)
      event.error = error
      return say(event)
    }
    if !isQuiet {
      tell("retry   \(name)  in \(Figures.fixed(seconds, 0)) s: \(error.message)")
    }
  }

  func tick() { dashboard?.draw() }

  private func event(_ entry: BatchReport.Entry, _ reason: String?) -> ItemEvent {
    var event = ItemEvent(.end, id: entry.id)
    event.status = entry.status
    event.cached = entry.cached
    event.exit = entry.exit
    event.error = entry.error
    event.again = reason
    event.done = done
    event.total = total
    return event
  }

  /// Prints a line that stays above the dashboard.
  private func tell(_ line: String) {
    dashboard?.clear()
    say(line)
    dashboard?.draw(isForced: true)
  }

  private func say(_ line: String) { Terminal.error(PlainText.lines([line])) }

  private func say(_ event: some Encodable) {
    if let line = Figures.line(event) { Terminal.error(line) }
  }
}
