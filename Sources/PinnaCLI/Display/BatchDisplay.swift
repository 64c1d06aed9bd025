// SPDX-License-Identifier: Apache-2.0
import Batch
import Platform
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
      tell("FAILED", "\(entry.id)  \(entry.error?.message ?? "")", .failed)
    } else if style == .auto, !isQuiet, !entry.cached {
      let why = reason.map { "  (again: \($0))" } ?? ""
      if !entry.damage.isEmpty {
        let kinds = entry.damage.joined(separator: ", ")
        tell("damaged", "\(entry.id)  (\(kinds))\(why)", .degraded)
      } else if dashboard == nil {
        tell(entry.status.rawValue, "\(entry.id)\(why)", .done)
      }
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
      tell("retry", "\(name)  in \(Figures.fixed(seconds, 0)) s: \(error.message)", .degraded)
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
  private func tell(_ label: String, _ text: String, _ tone: LabelledLine.Tone) {
    dashboard?.clear()
    Terminal.show([LabelledLine(label: label, text: text, tone: tone)], indent: 8)
    dashboard?.draw(isForced: true)
  }

  private func say(_ event: some Encodable) {
    if let line = Figures.line(event) { Terminal.error(line) }
  }
}

/// The moving display of a batch on a terminal: one line for the whole and one for each running
/// job.
struct BatchDashboard {
  /// Seconds between two drawings.
  private static let interval = 0.2

  private struct Job {
    let name: String
    let start: Double
    var progress: WorkProgress?
  }

  private let total: Int
  private let start = ProgressDisplay.now
  private var jobs: [Job?]
  private var done = 0
  private var failed = 0
  private var cached = 0
  private var lines = 0
  private var lastDrawn = 0.0
  private var remaining = RemainingTime()

  /// A display of `total` items and `places` workers.
  init(total: Int, places: Int) {
    self.total = total
    jobs = Array(repeating: nil, count: places)
  }

  /// Shows that a worker has begun a job.
  mutating func began(_ name: String, at place: Int) {
    jobs[place] = Job(name: PlainText.line(name), start: ProgressDisplay.now)
  }

  /// Shows how far a worker's job is.
  mutating func progressed(at place: Int, _ progress: WorkProgress) {
    jobs[place]?.progress = progress
  }

  /// Shows that a worker is idle.
  mutating func rested(at place: Int) { jobs[place] = nil }

  /// Updates the numbers of items that have ended, that failed, and whose result is from before.
  mutating func count(done: Int, failed: Int, cached: Int) {
    (self.done, self.failed, self.cached) = (done, failed, cached)
  }

  /// Removes the display from the terminal.
  mutating func clear() {
    guard lines > 0 else { return }
    Terminal.overdraw(lines: lines)
    lines = 0
  }

  /// Draws the display, at most five times a second.
  mutating func draw(isForced: Bool = false) {
    let now = ProgressDisplay.now
    guard isForced || now - lastDrawn >= BatchDashboard.interval else { return }
    lastDrawn = now
    let width = Terminal.width
    let running = jobs.compactMap { $0 }
    var rows = [summary(running, now)]
    rows += running.map { BatchDashboard.row($0, now) }
    Terminal.overdraw(lines: lines, rows.map { TextColumns.prefix($0, width - 1) + "\n" }.joined())
    lines = rows.count
  }

  private mutating func summary(_ running: [Job], _ now: Double) -> String {
    // Results of earlier runs took no time, so the estimate of the time left ignores them.
    let worked = Double(done - cached) + running.reduce(0) { $0 + BatchDashboard.part($1) }
    let left = Double(total - cached) - worked
    let part = total > 0 ? (Double(cached) + worked) / Double(total) : 1
    let filled = Int(part * 30)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    var text = "\(bar) \(done) of \(total)"
    if cached > 0 { text += ", \(cached) done before" }
    if failed > 0 { text += ", \(failed) failed" }
    if let time = remaining.text(part: worked / max(worked + left, 1e-9), elapsed: now - start) {
      text += ", \(time) left"
    }
    return text
  }

  private static func row(_ job: Job, _ now: Double) -> String {
    let step = job.progress.map { Figures.padded($0.pass.rawValue, 6) } ?? "begin "
    let percent = job.progress.flatMap(\.fraction).map { $0 * 100 }
    let share = percent.map { Figures.padded(Figures.fixed($0, 0), 3, left: true) + " %" }
    return "  \(step) \(share ?? "     ")  \(Figures.fixed(now - job.start, 0)) s  \(job.name)"
  }

  /// The part of a job that is done, 0…1.
  private static func part(_ job: Job) -> Double { job.progress?.fraction ?? 0 }
}
