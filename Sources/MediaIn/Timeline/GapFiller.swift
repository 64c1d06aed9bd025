// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Does what the judge of the clock decides: inserts silence, drops what is repeated, and reports both.
struct GapFiller {
  /// Treatment of jumps.
  let policy: GapPolicy
  private let rate: Int
  private var judge: GapJudge
  /// Samples of an overlap that outlasted the blocks so far and are still to be dropped.
  private var surplus: Int64 = 0
  /// Jumps met so far.
  private(set) var gaps: [TimelineGap] = []
  /// Decisions on the clock that were reported; each is once a track.
  private var reported: Set<String> = []

  /// Samples by which the container's clock is ahead of the sound by now; `nil` where it is of no use.
  var clockLead: Int64? { judge.lead }

  /// A filler for blocks at `rate` Hz of a track with at most `bound` samples, whose times show gaps where it `followsClock`.
  init(policy: GapPolicy, rate: Int, bound: Int64? = nil, followsClock: Bool = true) {
    self.policy = policy
    self.rate = rate
    judge = GapJudge(rate: rate, bound: bound, followsClock: followsClock)
  }

  /// Judges a block by the accuracy of its `clock` and by the blocks `ahead`; `output` is
  /// the output sample it would begin at. Returns samples of silence to put before it (> 0) or
  /// samples to drop from it (< 0).
  mutating func judge(
    _ block: TimedBlock, clock: ClockAccuracy, output: Int64, log: DiagnosticLog,
    ahead: (Int) -> [TimedBlock] = { _ in [] }
  ) -> Int64 {
    let change = apply(judge.judge(block, clock, ahead: ahead), output, log)
    // An overlap may be longer than a block. The rest of it is dropped from later blocks, less what
    // a jump forward makes up.
    let net = change - surplus
    let dropped = min(max(0, -net), Int64(block.frames))
    surplus = max(0, -net) - dropped
    return net > 0 ? net : -dropped
  }

  /// Goes on `count` samples later, by a source that left them out.
  mutating func pass(_ count: Int64) { judge.pass(count) }

  /// Reports a verdict; answers by how much the output has to move for it.
  private mutating func apply(
    _ verdict: GapJudge.Verdict, _ output: Int64, _ log: DiagnosticLog
  ) -> Int64 {
    switch verdict {
    case .onTime: break
    case .jitter(let size):
      let direction = size > 0 ? "late" : "early"
      decide(
        "clock-jitter", output, log,
        "a timestamp is \(size.magnitude) samples \(direction), and no later one confirms that; such ones are left aside"
      )
    case .drift(let size):
      decide(
        "clock-drift", output, log,
        "the container's clock runs \(size > 0 ? "faster" : "slower") than the codec's count and is \(size.magnitude) samples "
          + "off; the sound is joined by the codec's count")
    case .beyondEnd(let size):
      decide(
        "clock-implausible", output, log,
        "the container's clock jumps by \(size) samples, more than the length that the file states leaves; the sound is "
          + "joined by the codec's count")
    case .implausible(let finding):
      surplus = 0
      decide(
        "clock-implausible", output, log,
        "the container's clock passes \(finding.stated) samples while the codec gives "
          + "\(finding.held); from there on the sound is joined by the codec's count")
    case .restart(let jump):
      note(.discontinuity, jump, output, log)
      surplus = 0
    case .jump(let size): return fill(size, output, log)
    }
    return 0
  }

  /// Reports a decision on the clock at output sample `output`, the first of its kind only.
  private mutating func decide(
    _ chosen: String, _ output: Int64, _ log: DiagnosticLog, _ why: String
  ) {
    guard reported.insert(chosen).inserted else { return }
    log.decide(.timestamps, chosen, why: "at \(time(output)) \(why)")
  }

  /// Notes a jump and returns by how much the output has to move for it.
  private mutating func fill(_ jump: Int64, _ output: Int64, _ log: DiagnosticLog) -> Int64 {
    if policy == .ignore {
      note(jump > 0 ? .gap : .overlap, jump, output, log)
      surplus = 0
      return 0
    }
    if jump < 0 {
      note(.overlap, jump, output, log)
    } else if jump > surplus {
      note(.gap, jump - surplus, output, log)
    }
    return jump
  }

  private mutating func note(
    _ kind: TimelineGap.Kind, _ jump: Int64, _ output: Int64, _ log: DiagnosticLog
  ) {
    let size = Int64(clamping: jump.magnitude)
    // Only the first hundred jumps are listed, so that a damaged file can't fill the report.
    guard gaps.count < 100 else {
      log.degrade(.timestampGap, "there are more than 100 timestamp jumps; the rest isn't listed")
      return
    }
    gaps.append(TimelineGap(kind: kind, position: max(0, output), samples: size))
    let direction = jump > 0 ? "forward" : "back"
    let action: String
    switch (kind, policy) {
    case (.discontinuity, _): action = "taken as a restart of the clock"
    case (_, .ignore): action = "left as it is"
    case (.gap, _): action = "filled with silence"
    case (.overlap, _): action = "overlapping samples dropped"
    }
    log.degrade(
      .timestampGap, "timestamps jump \(direction) by \(size) samples at \(time(output)); \(action)"
    )
  }

  private func time(_ output: Int64) -> MediaTime {
    MediaTime(ticks: max(0, output), rate: Int64(rate))
  }
}

/// The treatment of jumps in timestamps (`--gaps`).
public enum GapPolicy: String, Sendable, CaseIterable, Codable {
  /// Gaps become silence, overlaps are trimmed. Jumps forward by more than a minute and jumps back
  /// by more than half a second or eight codec frames count as clock restarts.
  case fill
  /// Samples are joined as they come; every jump is reported.
  case ignore
}

/// A jump in the timestamps of a track and what was done about it.
package struct TimelineGap: Sendable, Equatable, Codable {
  package typealias Kind = GapKind

  /// Kind of jump.
  package let kind: Kind
  /// Output sample at which it lies.
  package let position: Int64
  /// Size of the jump in samples, positive.
  package let samples: Int64

  /// A jump of `samples` at output sample `position`.
  package init(kind: Kind, position: Int64, samples: Int64) {
    self.kind = kind
    self.position = position
    self.samples = samples
  }
}

/// The work of the timeline on a track, for the report.
package struct TimelineSummary: Sendable, Equatable {
  /// The conclusions it followed.
  package var plan: TrimPlan
  /// Samples decoded, before any trimming, inserted silence included.
  package var decoded: Int64
  /// Samples before those that were left out without being decoded.
  package var skipped: Int64
  /// Start-up samples dropped or left out.
  package var startTrim: Int64
  /// Samples dropped at the end.
  package var endTrim: Int64
  /// Valid samples, those that were left out included: skipped + decoded − startTrim − endTrim.
  package var valid: Int64
  /// Jumps in the timestamps.
  package var gaps: [TimelineGap]
  /// Samples by which the container's clock is ahead of the sound at the end, by deviations that were left aside; `nil`
  /// where the clock wasn't followed to the end.
  package var clockLead: Int64?

  /// A summary from its figures.
  package init(
    plan: TrimPlan, decoded: Int64, skipped: Int64 = 0, startTrim: Int64, endTrim: Int64,
    valid: Int64, gaps: [TimelineGap], clockLead: Int64? = 0
  ) {
    self.plan = plan
    self.decoded = decoded
    self.skipped = skipped
    self.startTrim = startTrim
    self.endTrim = endTrim
    self.valid = valid
    self.gaps = gaps
    self.clockLead = clockLead
  }
}
