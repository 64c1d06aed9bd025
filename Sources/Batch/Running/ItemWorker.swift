// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut
import Platform
import Report

/// Carries out requests; the part of a batch that runs in a worker process, whose working folder is
/// the batch's output folder.
package struct ItemWorker<Engine: BatchEngine>: Sendable {
  private let engine: Engine
  private let store = ResultStore(root: ".")

  /// A worker that renders with `engine`.
  package init(engine: Engine) { self.engine = engine }

  /// Carries out a request and stores the results.
  /// - Returns: the outcomes, in the order of the items; they aren't stored when it was interrupted.
  /// - Throws: ``MediaError`` when a result can't be stored.
  package func run(
    _ request: WorkRequest, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws -> [WorkReply.Outcome] {
    let clock = WorkClock()
    let old = request.items.map { store.read($0.id) }
    var drafts = request.items.map { ItemDraft(item: $0, engine: engine) }
    for index in drafts.indices { drafts[index].prepare(spoolMemory: request.spoolMemory) }
    tieAlbum(&drafts, request)
    let reasons = zip(drafts, old).map { $0.reasonToWork(old: $1) }
    if reasons.allSatisfy({ $0 == nil }) {
      return try zip(drafts, old).map { draft, old in
        guard let old else { throw MediaError(.internal, about: draft.item.id, "has no result") }
        let report = draft.adopted(old)
        if report != old { try store.write(report) }
        return WorkReply.Outcome(report: report, cached: true, isStored: true, reason: nil)
      }
    }
    // When an earlier run was killed, the item's outputs may have had other names.
    for report in old where report?.status == .started {
      Abandoned.remove(report?.stale ?? [])
    }
    for index in drafts.indices {
      drafts[index].claim(old: old[index], overwrite: request.overwrite)
    }
    if !drafts.contains(where: { $0.failure != nil }) || !request.isAlbum {
      for draft in drafts where draft.failure == nil { try store.write(draft.claimed) }
      let start = WorkClock.wall
      if request.isAlbum {
        await renderAlbum(&drafts, progress)
      } else {
        for index in drafts.indices { await render(&drafts[index], progress) }
      }
      for index in drafts.indices { drafts[index].renderSeconds = WorkClock.wall - start }
    }
    if request.isAlbum { spreadFailure(&drafts) }
    for index in drafts.indices { drafts[index].conclude() }
    return try finish(drafts, old: old, reasons: reasons, clock, request.attempt)
  }

  private func finish(
    _ drafts: [ItemDraft<Engine>], old: [ItemReport?], reasons: [String?], _ clock: WorkClock,
    _ attempt: Int
  ) throws -> [WorkReply.Outcome] {
    try drafts.enumerated().map { index, draft in
      var report = draft.finished()
      report.performance = clock.performance(attempt: attempt, renderSeconds: draft.renderSeconds)
      let isInterrupted = report.error?.kind == MediaError.Kind.interrupted.rawValue
      try store.write(isInterrupted ? draft.released : report)
      return WorkReply.Outcome(
        report: report, cached: false, isStored: !isInterrupted,
        reason: old[index] == nil ? nil : reasons[index])
    }
  }

  /// Makes each item's key depend on the whole album and on its place in it, because all items share one gain, and filters go
  /// on from one into the next.
  private func tieAlbum(_ drafts: inout [ItemDraft<Engine>], _ request: WorkRequest) {
    guard request.isAlbum else { return }
    let keys = drafts.map(\.report.key)
    for index in drafts.indices {
      let known = keys.compactMap { $0 }
      drafts[index].report.key =
        known.count == keys.count ? FileDigest.of(["\(index)"] + known) : nil
    }
  }

  private func render(
    _ draft: inout ItemDraft<Engine>, _ progress: @escaping @Sendable (WorkProgress) -> Void
  ) async {
    guard draft.failure == nil else { return }
    for prepared in draft.prepared {
      do throws(EngineFailure) {
        let report = try await engine.render(
          prepared.job, overwrite: draft.mayOverwrite, progress: progress)
        draft.report.reports.append(report)
      } catch {
        draft.fail(error)
        return
      }
    }
  }

  private func renderAlbum(
    _ drafts: inout [ItemDraft<Engine>], _ progress: @escaping @Sendable (WorkProgress) -> Void
  ) async {
    do throws(EngineFailure) {
      let reports = try await engine.renderAlbum(
        drafts.compactMap(\.prepared.first?.job),
        overwrite: drafts.allSatisfy(\.mayOverwrite), progress: progress)
      for (index, report) in reports.enumerated() { drafts[index].report.reports.append(report) }
    } catch {
      // The report names the input that failed.
      let names = [error.report?.input?.path, error.error.subject].compactMap { $0 }
      let index =
        names.compactMap { name in
          drafts.firstIndex { PathName($0.item.source) == PathName(name) }
        }.first ?? 0
      drafts[index].fail(error)
    }
  }

  /// Fails all items of an album when one has failed, because then none of its outputs is written.
  private func spreadFailure(_ drafts: inout [ItemDraft<Engine>]) {
    guard let culprit = drafts.first(where: { $0.failure != nil }), let failure = culprit.failure
    else { return }
    for index in drafts.indices where drafts[index].failure == nil {
      drafts[index].report.reports = []
      drafts[index].fail(
        EngineFailure(
          MediaError(
            failure.kind,
            "\(drafts[index].item.input): nothing of its album was written, because \(culprit.item.id) "
              + "failed: \(failure.message)")))
    }
  }
}
