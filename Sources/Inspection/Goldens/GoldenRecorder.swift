import AudioCore
import Rendering
import Verify

/// Records the outcomes of goldens' commands as expected values, where they can serve as such.
package struct GoldenRecorder {
  private let runner: GoldenRunner
  private let allowsDirty: Bool

  /// A recorder; `allowsDirty` records in a repository with changes that aren't committed.
  package init(runner: GoldenRunner, allowsDirty: Bool) {
    self.runner = runner
    self.allowsDirty = allowsDirty
  }

  /// Runs a case twice and writes its expected values.
  /// - Parameter reason: why there are new ones; `nil` for a first recording.
  /// - Throws: ``MediaError`` of kind `verificationFailed` for outputs that are no golden or differ between the runs, `usage`
  ///   for a dirty repository.
  package func record(_ golden: GoldenCase, reason: String?) async throws {
    let git = GitState(folder: runner.folder.path)
    guard allowsDirty || !git.isDirty else {
      throw MediaError(
        .usage, about: golden.id,
        "the repository of \(runner.folder.path) has changes that aren't committed, so "
          + "nobody could tell what recorded it; commit them, or add \(setting: .allowsDirty)")
    }
    let outcome = try await runner.outcome(golden)
    if let refusal = GoldenObserver.refusal(outcome) {
      throw MediaError(
        .verificationFailed, about: golden.id,
        "\(refusal), which is no golden; nothing was recorded")
    }
    // A disturbance of the first run mustn't become what later runs are compared with.
    guard try await runner.outcome(golden) == outcome else {
      throw MediaError(
        .verificationFailed, about: golden.id,
        "two runs of its command differ, so nothing can be compared with it; nothing was recorded, run it again"
      )
    }
    if reason != nil, outcome.exit != 0, try runner.folder.expected(golden.id).exit == 0 {
      throw MediaError(
        .verificationFailed, about: golden.id,
        "the command fails now (\(outcome.error ?? "exit \(outcome.exit)")) where it "
          + "didn't; nothing was recorded, check \(setting: .goldenMedia) and the command")
    }
    let recording = GoldenObserver.recording(commit: git.commit)
    var golden = golden
    if let reason {
      golden.blessings =
        (golden.blessings ?? []) + [GoldenCase.Blessing(reason: reason, recordedBy: recording)]
    }
    golden.recordedBy = recording
    // What is recorded has to agree with the oracle's figures, too.
    let result = GoldenComparator(golden: golden, expected: outcome, current: recording)
      .compare(outcome)
    if let failure = result.failures.first {
      throw MediaError(
        .verificationFailed, about: golden.id, "\(failure); nothing was recorded")
    }
    try runner.folder.write(outcome, id: golden.id)
    try runner.folder.write(golden)
  }
}
