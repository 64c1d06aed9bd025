// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// How far a job is.
public struct RenderProgress: Sendable, Equatable {
  /// Steps of a job.
  public typealias Pass = RenderPass

  /// The step.
  public var pass: Pass
  /// Samples done in this step; never decreases within a step.
  public var done: Int64
  /// Samples in all, when known.
  public var total: Int64?
  /// Rate of the samples counted, Hz.
  public var sampleRate: Int
  /// Part of the whole job that is done, 0…1, with each step weighed by what it is expected to cost; never decreases.
  /// `nil` while the input's length isn't known.
  public var fraction: Double?

  /// The progress of a job: `done` of `total` samples at `sampleRate` Hz in one step, and `fraction` of the whole.
  public init(
    pass: Pass, done: Int64, total: Int64?, sampleRate: Int, fraction: Double? = nil
  ) {
    self.pass = pass
    self.done = done
    self.total = total
    self.sampleRate = sampleRate
    self.fraction = fraction
  }
}

/// Parts of a job's time that its steps take, as far as its plan tells.
struct PassShares {
  /// Shares in the order of the steps.
  private var costs: [RenderProgress.Pass: Double] = [.render: 1, .finish: 0.5, .verify: 0.1]
  /// Parts of the steps that are done, 0…1.
  private var parts: [RenderProgress.Pass: Double] = [:]
  /// Part of the job that is done when its steps have ended once: a lossy encoding whose peaks are held is often corrected and
  /// proved again, how many times nobody knows.
  private var firstRound: Double
  /// Rounds of correction that have begun; each is taken for half of what is left.
  private var corrections = 0

  /// Parts of a job that is often corrected, or isn't.
  init(isCorrected: Bool = false) { firstRound = isCorrected ? 0.7 : 1 }

  /// Weighs the steps of a job that goes through `branches`, by the CPU seconds that a minute takes.
  mutating func expect(_ branches: [Branch]) {
    var sums: [RenderProgress.Pass: Double] = [:]
    for branch in branches {
      let costs = branch.plan.container.coding.codec.traits.costs
      let pairs = Double(branch.kept == nil ? branch.format.channels : branch.tracks) / 2
      // Rendering for two ears has more channels before it than after it.
      let rendering = branch.plan.endpoint == .none ? 0.06 * pairs : 0.15
      sums[.render, default: 0] += rendering
      sums[.finish, default: 0] += costs.encode * pairs
      sums[.verify, default: 0] += costs.prove * pairs
    }
    let isCorrected = branches.contains {
      !$0.plan.container.coding.codec.isLossless && $0.plan.level?.peakPolicy == .limit
    }
    self = PassShares(isCorrected: isCorrected)
    costs = sums
  }

  /// Notes how far a step is; `nil` for the part of the job that is done while it can't be known.
  mutating func note(_ now: RenderProgress) -> Double? {
    guard let total = now.total, total > 0 else { return nil }
    let part = min(1, Double(now.done) / Double(total))
    if firstRound < 1, now.pass != .render, parts[now.pass] == 1, part < 0.5 {
      corrections += 1
      (parts[.finish], parts[.verify]) = (0, 0)
    }
    parts[now.pass] = max(parts[now.pass] ?? 0, part)
    // A length that was only estimated doesn't matter any more.
    if now.pass != .render { parts[.render] = 1 }
    guard corrections > 0 else { return firstRound * done(of: costs) }
    let length = (1 - firstRound) * exp2(-Double(corrections))
    return 1 - 2 * length + length * done(of: costs.filter { $0.key != .render })
  }

  /// Part of steps with these `costs` that is done, 0…1.
  private func done(of costs: [RenderProgress.Pass: Double]) -> Double {
    let sum = costs.values.reduce(0, +)
    return costs.reduce(0) { $0 + $1.value * (parts[$1.key] ?? 0) } / max(sum, 1e-9)
  }
}

/// Passes progress on, never backwards and at most ten times a second, and stops the run when it was cancelled.
final class RunProgress {
  /// Seconds between two reports within a step.
  private static let interval = 0.1

  private let name: String
  private let report: @Sendable (RenderProgress) -> Void
  /// Whether the run is to stop.
  let isCancelled: () -> Bool
  private var reported: [RenderProgress.Pass: Int64] = [:]
  private var shares = PassShares()
  /// Steps of the track whose end was reported.
  private var ended: Set<RenderProgress.Pass> = []
  /// Number of the track that is worked on, and of all that go into the same file.
  private var place = (track: 0, of: 1)
  private var fraction = 0.0
  private var latest: RenderProgress?
  private var lastTime = -RunProgress.interval
  /// Time that each stage of the run takes.
  let stages = StageTimes()

  init(
    name: String, report: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping () -> Bool
  ) {
    self.name = name
    self.report = report
    self.isCancelled = isCancelled
  }

  /// Begins with the track number `track` of `count` that go into one file, one after the other.
  func begin(_ track: Int, of count: Int) {
    place = (track, count)
    shares = PassShares()
    ended = []
  }

  /// Weighs the steps by what `branches` lead to.
  func expect(_ branches: [Branch]) { shares.expect(branches) }

  /// Reports the end of the job, of which nobody knew that no correction follows.
  func finish() {
    guard var latest, let fraction = latest.fraction, fraction < 1 else { return }
    latest.fraction = 1
    report(latest)
  }

  /// Passes `now` on.
  /// - Throws: ``MediaError`` of kind `interrupted` when the run was cancelled.
  func show(_ now: RenderProgress) throws {
    if isCancelled() {
      throw MediaError(.interrupted, about: name, "stopped before it was done")
    }
    // Trial runs of the normaliser and the beginning of the next track would go backwards.
    let last = reported[now.pass] ?? 0
    var now = now
    let part = shares.note(now)
    let isEnd = now.done == now.total && ended.insert(now.pass).inserted
    now.done = max(now.done, last)
    if let part {
      fraction = max(fraction, min(1, (Double(place.track) + part) / Double(place.of)))
      now.fraction = fraction
    }
    let time = SystemClock.steady
    let isDue = time - lastTime >= RunProgress.interval || now.pass != latest?.pass
    // The end of a step is always shown, once.
    guard isDue || isEnd else { return }
    (latest, lastTime) = (now, time)
    reported[now.pass] = now.done
    report(now)
  }
}
