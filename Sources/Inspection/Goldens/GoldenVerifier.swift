// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Rendering
import Report
import Verify

/// Verifies goldens, several at once.
package struct GoldenVerifier: Sendable {
  private let runner: GoldenRunner
  private let limit: Int
  private let show: @Sendable (GoldenReport.Entry) -> Void

  /// A verifier that runs up to `limit` cases at once and hands each entry to `show`.
  package init(
    runner: GoldenRunner, limit: Int, show: @escaping @Sendable (GoldenReport.Entry) -> Void
  ) {
    self.runner = runner
    self.limit = limit
    self.show = show
  }

  /// Verifies the cases `ids`.
  /// - Returns: their entries by name, fewer when it was stopped.
  package func run(_ ids: [String]) async -> [GoldenReport.Entry] {
    await batch(ids).sorted { $0.id < $1.id }
  }

  private func batch(_ ids: [String]) async -> [GoldenReport.Entry] {
    await withTaskGroup(of: GoldenReport.Entry?.self) { group in
      var waiting = ids[...]
      var entries: [GoldenReport.Entry] = []
      var running = 0
      while true {
        while running < limit, !Task.isCancelled, let id = waiting.popFirst() {
          running += 1
          group.addTask(executorPreference: JobExecutor()) { await verify(id) }
        }
        guard let entry = await group.next() else { return entries }
        running -= 1
        guard let entry else { continue }
        entries.append(entry)
        show(entry)
      }
    }
  }

  /// Verifies one case.
  /// - Returns: its entry; `nil` when it was stopped.
  private func verify(_ id: String) async -> GoldenReport.Entry? {
    let start = ResourceUse.wall
    var entry = GoldenReport.Entry(
      id: id, status: .failed, why: "", failures: [], notes: [], seconds: 0)
    do {
      let golden = try runner.folder.golden(id)
      entry.why = golden.why
      let expected = try runner.folder.expected(id)
      // A case may be about a missing input.
      if expected.exit == 0 { try runner.checkInput(golden) }
      let outcome = try await runner.outcome(golden)
      let comparator = GoldenComparator(
        golden: golden, expected: expected, current: GoldenObserver.recording(commit: nil))
      let result = comparator.compare(outcome)
      (entry.failures, entry.notes) = (result.failures, result.notes)
    } catch {
      let failure = error as? MediaError ?? MediaError(.internal, about: id, "\(error)")
      if failure.kind == .interrupted { return nil }
      entry.failures = [failure.message]
    }
    if entry.failures.isEmpty { entry.status = .passed }
    entry.seconds = ((ResourceUse.wall - start) * 1000).rounded() / 1000
    return entry
  }
}

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
  /// - Parameters:
  ///   - reason: why there are new ones; `nil` for a first recording.
  ///   - exit: the exit code that the command is to end with; `nil` where the recorded one counts.
  /// - Throws: ``MediaError`` of kind `verificationFailed` for outputs that are no golden or differ between the runs, `usage`
  ///   for a dirty repository.
  package func record(_ golden: GoldenCase, reason: String?, exit: Int32? = nil) async throws {
    let git = GitState(folder: runner.folder.path)
    guard allowsDirty || !git.isDirty else {
      throw MediaError(
        .usage, about: golden.id,
        "the repository of \(runner.folder.path) has changes that aren't committed, so "
          + "nobody would know what recorded it; commit them, or add \(setting: .allowsDirty)")
    }
    let outcome = try await runner.outcome(golden)
    if let exit, outcome.exit != exit {
      let got =
        outcome.exit == 0
        ? "succeeds" : "fails with exit \(outcome.exit) (\(outcome.error ?? "no reason"))"
      throw MediaError(
        .usage, about: golden.id,
        "its command \(got), so nothing was recorded; correct it, or add \(setting: .expectedExit) \(outcome.exit)"
      )
    }
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
    // The recording has to agree with the oracle's figures, too.
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

/// State of the git repository that a folder lies in.
package struct GitState: Sendable {
  /// Commit checked out; `nil` outside a repository.
  package let commit: String?
  /// Whether tracked files besides those of the folder differ from it.
  package let isDirty: Bool

  /// Asks git about the repository of `folder`.
  package init(folder: String) {
    commit = GitState.run(["git", "-C", folder, "rev-parse", "HEAD"])?.first
    let excluded = ":(exclude)."
    let changes = GitState.run([
      "git", "-C", folder, "status", "--porcelain", "--untracked-files=no", "--", ":(top)",
      excluded,
    ])
    isDirty = commit != nil && changes?.isEmpty == false
  }

  /// Lines a program prints; `nil` when it can't be run or fails.
  private static func run(_ arguments: [String]) -> [String]? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let start = ProgramStart()
    start.pass(ends[1], as: STDOUT_FILENO)
    start.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
    for end in ends { start.close(end) }
    let (child, code) = start.start(arguments[0], arguments)
    close(ends[1])
    guard code == 0 else { return nil }
    var bytes: [UInt8] = []
    _ = Descriptor.readToEnd(ends[0]) { bytes += $0 }
    guard ChildProcess.End.of(child) == .code(0) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
