import AudioCore
import PlayQueue
import Report

/// Tells from which sample on the programmes of two queues differ, and why, without rendering them.
package enum QueueComparison {
  /// Compares `new` with `old`; `reach` is how far filters reach over the borders of items, in samples of the new
  /// programme when it counts samples.
  package static func report(
    from old: QueueSurvey, to new: QueueSurvey, reach: TimeSpec
  ) -> QueueDiffReport {
    let (before, after) = (old.placed, new.placed)
    let samples = reach.samples(at: after.placement.rate)
    let diff = QueueDiff(
      from: before, to: after, reach: QueueDiff.Reach(head: samples, tail: samples))
    return QueueDiffReport(
      old: old.side, new: new.side, reach: samples,
      gainIsPinned: before.queue.pinnedGain != nil && after.queue.pinnedGain != nil,
      changes: diff.changes.map {
        QueueReport.Change(from: $0.from, to: $0.to, why: $0.why.rawValue)
      },
      degradations: new.degradations)
  }
}
