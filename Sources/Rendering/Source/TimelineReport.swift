import Report
import Timeline

extension RenderReport.Timeline {
  /// What the timeline did to a track at `rate` Hz of which `out` samples were delivered from `start` on.
  init(_ done: TimelineSummary, start: Int64, rate: Int, out: Int64) {
    self.init(
      priming: Priming(
        samples: done.plan.priming, source: done.plan.primingSource?.rawValue ?? "unknown"),
      padding: done.endTrim, paddingSource: done.plan.paddingSource.rawValue,
      start: Start(samples: start, rate: rate),
      samplesIn: done.decoded, samplesOut: out,
      gaps: done.gaps.map {
        Gap(kind: $0.kind.rawValue, position: $0.position, samples: $0.samples)
      })
  }
}
