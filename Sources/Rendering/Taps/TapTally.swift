import AudioCore
import Report
import Signal

/// What all instances of one tap did for one output.
final class TapTally {
  /// Most sentences that are kept.
  private static let mostRemarks = 8

  private let plan: PlannedTap
  private let tempo: Tempo
  private var latency = RenderReport.Tap.Latency(declared: 0, used: 0)
  private var tail = 0
  private var isDeterministic = true
  private var before = TapLevels()
  private var after = TapLevels()
  private var seconds = 0.0
  private var instances = 0
  private var settings: [String] = []
  /// What they had to tell, each sentence once.
  private(set) var remarks: [String] = []

  init(_ tap: LoadedTap) {
    plan = tap.listed
    tempo = tap.tempo
  }

  /// Notes what a prepared tap states, and what was known of it before.
  func begin(_ host: TapHost, _ proof: TapProof) {
    instances += 1
    latency = RenderReport.Tap.Latency(
      declared: proof.declared, measured: proof.measured, used: host.latency)
    tail = max(tail, host.tail)
    settings = host.settings
    isDeterministic = isDeterministic && proof.isDeterministic
  }

  /// Adds what a tap did that came to its end.
  func end(_ host: TapHost, seconds: Double) {
    before.add(host.before)
    after.add(host.after)
    self.seconds += seconds
    for remark in host.remarks where remarks.count < TapTally.mostRemarks {
      if !remarks.contains(remark) { remarks.append(remark) }
    }
  }

  /// Notes that an observer looked at what is written.
  func observed(_ levels: TapLevels, seconds: Double) {
    instances += 1
    before.add(levels)
    after.add(levels)
    self.seconds += seconds
  }

  /// dB by which the peak rose; `nil` where nothing came in or out.
  var rise: Double? {
    guard let low = Decibels.peakLevel(before.peak), let high = Decibels.peakLevel(after.peak)
    else { return nil }
    return high - low
  }

  /// It for the report.
  var report: RenderReport.Tap {
    RenderReport.Tap(
      point: plan.point.rawValue, kind: plan.kind, name: plan.name, sha256: plan.sha256,
      settings: plan.settings, resolved: settings.isEmpty ? nil : settings,
      instances: instances, items: plan.items,
      latency: latency, tail: tail, tempo: tempo.isSame ? nil : tempo.factor,
      deterministic: isDeterministic, before: TapTally.levels(before),
      after: TapTally.levels(after), cpuSeconds: seconds)
  }

  private static func levels(_ levels: TapLevels) -> RenderReport.Tap.Levels {
    let mean = levels.meanSquare
    return RenderReport.Tap.Levels(
      peak: Decibels.peakLevel(levels.peak), rms: mean > 0 ? Decibels.level(mean.squareRoot()) : nil
    )
  }
}
