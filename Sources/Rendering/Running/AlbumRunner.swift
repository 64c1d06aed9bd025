import AudioCore
import Loudness

/// Runs several jobs under one gain: all are rendered, one gain is solved for all, all are written
/// and proved, then all appear. One failure leaves none behind.
final class AlbumRunner {
  private let jobs: [RenderJob]
  private let runners: [JobRunner]
  /// Number of the job that is being worked on.
  private(set) var current = 0

  /// A runner for `jobs`; `runners` are theirs, in the same order.
  init(jobs: [RenderJob], runners: [JobRunner]) {
    self.jobs = jobs
    self.runners = runners
  }

  /// Does all jobs.
  /// - Throws: ``MediaError`` of the job at ``current``.
  func run() throws {
    try JobRules.checkAlbum(jobs)
    try each { try $0.render() }
    guard !jobs[0].isDryRun, let target = jobs[0].loudness else { return }
    current = 0
    let normalizer = LoudnessNormalizer(target: target, dualMono: jobs[0].isDualMono)
    let plan = try JobRunner.naming("album of \(jobs.count)") {
      try normalizer.solve(runners.flatMap(\.programmes))
    }
    try each { runner in
      runner.adopt(plan, track: current, reference: target.reference)
      try runner.deliver()
    }
    try each { try $0.complete() }
    try each { try $0.commit() }
  }

  private func each(_ body: (JobRunner) throws -> Void) throws {
    for (index, runner) in runners.enumerated() {
      current = index
      try body(runner)
    }
  }
}
