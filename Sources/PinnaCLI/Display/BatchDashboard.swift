import Batch
import Platform

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
    let width = BatchDashboard.width
    let running = jobs.compactMap { $0 }
    var rows = [summary(running, now)]
    rows += running.map { BatchDashboard.row($0, now) }
    Terminal.overdraw(lines: lines, rows.map { String($0.prefix(width - 1)) + "\n" }.joined())
    lines = rows.count
  }

  private func summary(_ running: [Job], _ now: Double) -> String {
    // Results of earlier runs took no time, so the estimate of the time left ignores them.
    let worked = Double(done - cached) + running.reduce(0) { $0 + BatchDashboard.part($1) }
    let left = Double(total - cached) - worked
    let part = total > 0 ? (Double(cached) + worked) / Double(total) : 1
    let filled = Int(part * 30)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    var text = "\(bar) \(done) of \(total)"
    if cached > 0 { text += ", \(cached) done before" }
    if failed > 0 { text += ", \(failed) failed" }
    if worked > 0.2 {
      text += ", \(BatchDashboard.time((now - start) / worked * left)) left"
    }
    return text
  }

  private static func row(_ job: Job, _ now: Double) -> String {
    let step = job.progress.map { Figures.padded($0.pass, 6) } ?? "begin "
    let percent = job.progress.flatMap { progress in
      progress.total.map { Double(progress.done) / Double(max(1, $0)) * 100 }
    }
    let share = percent.map { Figures.padded(Figures.fixed(min(100, $0), 0), 3, left: true) + " %" }
    return "  \(step) \(share ?? "     ")  \(Figures.fixed(now - job.start, 0)) s  \(job.name)"
  }

  /// The part of a job that is done, 0…1. The shares of the steps are rough: rendering takes longest.
  private static func part(_ job: Job) -> Double {
    guard let progress = job.progress, let total = progress.total, total > 0 else { return 0 }
    let inside = min(1, Double(progress.done) / Double(total))
    switch progress.pass {
    case "render": return inside * 0.7
    case "finish": return 0.7 + inside * 0.2
    default: return 0.9 + inside * 0.1
    }
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e7)).rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  private static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
    return Int(size.ws_col)
  }
}
