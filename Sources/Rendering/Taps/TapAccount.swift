// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report
import Signal

/// The work of all instances of one tap for one output.
final class TapAccount {
  /// Most sentences that are kept.
  private static let mostRemarks = 8

  private let loaded: LoadedTap
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

  init(_ tap: LoadedTap) { loaded = tap }

  /// Prepares one more instance, which `host` runs, for sound of `format`; `proof` is what was known of the tap before.
  /// - Throws: what the tap throws.
  func step(
    _ host: TapHost, _ format: AudioFormat, keeps: FilterEnds, proof: TapProof
  ) throws -> Compensated<AudioBuffer> {
    var spent = 0.0
    let step = try Compensated(
      host, name: host.name, input: format, keeps: keeps,
      length: loaded.tempo.isSame ? .input : .tempo(loaded.tempo)
    ) { [self] isLast, call in
      spent += try timed(call)
      if isLast { end(host, seconds: spent) }
    }
    instances += 1
    latency = RenderReport.Tap.Latency(
      declared: proof.declared, measured: proof.measured, used: host.latency)
    tail = max(tail, host.tail)
    settings = host.settings
    isDeterministic = isDeterministic && proof.isDeterministic
    return step
  }

  private func end(_ host: TapHost, seconds: Double) {
    add(host.before, host.after, seconds: seconds)
    for remark in host.remarks where remarks.count < TapAccount.mostRemarks {
      if !remarks.contains(remark) { remarks.append(remark) }
    }
  }

  /// Prepares the only instance of a tap that looks at an output of `format`.
  /// - Throws: what it throws.
  func prepare(_ observer: any AudioObserver, _ format: AudioFormat) throws {
    try loaded.guarding { try observer.prepare(format) }
    instances += 1
  }

  /// Lets `observer` look at the next samples of the output.
  /// - Throws: what it throws.
  func observe(_ observer: any AudioObserver, _ block: AudioBuffer) throws {
    guard block.frames > 0 else { return }
    let position = before.frames
    var levels = TapLevels()
    levels.add(block)
    let spent = try timed { try observer.observe(block, at: position) }
    add(levels, levels, seconds: spent)
  }

  /// Ends the look of `observer`.
  /// - Throws: what it throws.
  func finish(_ observer: any AudioObserver) throws {
    try loaded.guarding { try observer.finish() }
  }

  private func add(_ before: TapLevels, _ after: TapLevels, seconds: Double) {
    self.before.add(before)
    self.after.add(after)
    self.seconds += seconds
  }

  /// CPU seconds that `call` takes of this thread; its failure names the tap.
  private func timed(_ call: () throws -> Void) throws -> Double {
    let start = SystemClock.thread
    try loaded.guarding(call)
    return SystemClock.thread - start
  }

  /// dB by which the peak rose; `nil` where nothing came in or out.
  var rise: Double? {
    guard let low = Decibels.peakLevel(before.peak), let high = Decibels.peakLevel(after.peak)
    else { return nil }
    return high - low
  }

  /// The account as the report's entry of the tap.
  var report: RenderReport.Tap {
    let plan = loaded.listed
    return RenderReport.Tap(
      point: plan.point, kind: plan.kind, name: plan.name, sha256: plan.sha256,
      settings: plan.settings, resolved: settings.isEmpty ? nil : settings,
      instances: instances, items: plan.items, latency: latency, tail: tail,
      tempo: loaded.tempo.isSame ? nil : loaded.tempo.factor, deterministic: isDeterministic,
      before: TapAccount.levels(before), after: TapAccount.levels(after), cpuSeconds: seconds)
  }

  private static func levels(_ levels: TapLevels) -> RenderReport.Tap.Levels {
    let mean = levels.meanSquare
    return RenderReport.Tap.Levels(
      peak: Decibels.peakLevel(levels.peak), rms: mean > 0 ? Decibels.level(mean.squareRoot()) : nil
    )
  }
}
