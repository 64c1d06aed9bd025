import AudioCore
import Platform
import Report
import Signal

/// A tap in the chain of an output: without latency, with an exact length, and with an account of what it did.
final class TapStage: ChainStep {
  let format: AudioFormat
  private let loaded: LoadedTap
  private let host: TapHost
  private let stage: Compensated<AudioBuffer>
  private let tally: TapTally
  private var seconds = 0.0

  /// Prepares the tap `loaded` in its `host` for sound of `format`; what it did goes to `tally`.
  /// - Throws: what the tap throws.
  init(
    _ loaded: LoadedTap, _ host: TapHost, _ format: AudioFormat, keeps: FilterEnds, proof: TapProof,
    tally: TapTally
  ) throws {
    self.loaded = loaded
    self.host = host
    self.tally = tally
    stage = try Compensated(
      host, name: host.name, input: format, keeps: keeps,
      length: host.tempo.isSame ? .input : .tempo(host.tempo))
    self.format = stage.format
    tally.begin(host, proof)
  }

  /// Samples of its response before the input that are kept.
  var head: Int { stage.head }
  /// Largest magnitude among samples cut off at the start.
  var headPeak: Float { stage.headPeak }
  /// Samples of sound to come that its output depends on.
  var latency: Int { host.latency }
  /// Samples of its response after the input.
  var tail: Int { host.tail }
  /// Largest magnitude among samples cut off at the end; 0 where the tempo changes, because everything after that end comes
  /// of the silence that was sent to bring all sound out.
  var cutPeak: Float { host.tempo.isSame ? stage.cutPeak : 0 }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try timed { try stage.process(input, into: output) }
  }

  func finish(into output: AudioBuffer) throws {
    try timed { try stage.finish(into: output) }
    tally.end(host, seconds: seconds)
  }

  private func timed(_ body: () throws -> Void) throws {
    let start = SystemClock.thread
    try loaded.guarding(body)
    seconds += SystemClock.thread - start
  }
}

/// The work of all instances of one tap for one output.
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
  /// Remarks of the instances, each sentence once.
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

  var report: RenderReport.Tap {
    RenderReport.Tap(
      point: plan.point, kind: plan.kind, name: plan.name, sha256: plan.sha256,
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
