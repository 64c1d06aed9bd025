// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report
import Signal

/// All taps of a run: makes them, closes each exactly once, and keeps account of what they did.
final class TapLedger {
  /// Rise of the peak, in dB, that is remarked.
  private static let greatestRise = 24.0

  /// A tap of an output, by its place in the chain.
  private struct Place: Hashable {
    let output: Int
    let tap: Int
  }

  /// A tap with the sound that it gets.
  private struct Trial: Hashable {
    let plan: PlannedTap
    let latency: TapLatencyRule
    let format: AudioFormat
  }

  private let log: DiagnosticLog
  private let store: TapProofStore?
  private var proofs: [Trial: TapProof] = [:]
  private var taps: [Int: [LoadedTap]] = [:]
  private var accounts: [Place: TapAccount] = [:]
  private var analyses: [Int: AnalysisObserver] = [:]
  /// For outputs that hold some items of a queue only, which ones, counted from 0.
  private var items: [Int: Range<Int>] = [:]
  /// For outputs that are parts of one programme, the first of them.
  private var shared: [Int: Int] = [:]
  /// Closes the taps that are made and not yet closed, in the order in which they were made.
  private var open: [(TapEnd) -> Void] = []

  /// The taps of a run whose remarks go to `log`; trials are kept in `folder`, or nowhere for `nil`.
  init(log: DiagnosticLog, folder: String? = nil) {
    self.log = log
    store = folder.map(TapProofStore.init)
  }

  /// Takes the taps of output number `output`.
  func add(_ taps: [LoadedTap], output: Int) { self.taps[output] = taps }

  /// Takes for output number `output` the taps that output `other` has as well: both are parts of one programme.
  func share(_ output: Int, with other: Int) { shared[output] = other }

  /// Takes that output number `output` holds only these items of a queue, counted from 0.
  func hold(_ output: Int, _ items: Range<Int>) { self.items[output] = items }

  /// The numbers of those taps of output number `output` that its sound passes.
  func heard(_ output: Int) -> [Int] {
    taps(output).indices.filter { index in
      guard let held = items[output], let own = taps(output)[index].items else { return true }
      return own.contains(where: held.contains)
    }
  }

  /// The taps of output number `output`.
  func taps(_ output: Int) -> [LoadedTap] { taps[shared[output] ?? output] ?? [] }

  /// Makes the taps that output number `output` has at one point; `context` says what they get.
  /// - Throws: what they throw.
  func make(
    _ output: Int, _ context: TapContext, keeps: FilterEnds
  ) throws -> [Compensated<AudioBuffer>] {
    try taps(output).enumerated().compactMap { index, loaded in
      guard loaded.plan.point == context.point, loaded.isFor(context.item) else { return nil }
      var context = context
      context.expectedFrames = context.expectedFrames.map(tempo(output, before: index).frames)
      return try loaded.guarding {
        let proof = try proof(loaded, context)
        let host = TapHost(
          try loaded.make(context, known: proof), name: loaded.plan.title,
          blocks: proof.blocks, tempo: loaded.tempo)
        // A tap that was made is closed even if it can't be prepared.
        open.append(host.close)
        return try account(output, index).step(host, context.format, keeps: keeps, proof: proof)
      }
    }
  }

  /// By how much the first `count` taps of output number `output`, or all of them, make the sound faster.
  func tempo(_ output: Int, before count: Int = .max) -> Tempo {
    taps(output).prefix(count).reduce(.same) { $0.followed(by: $1.tempo) }
  }

  /// Facts about `tap`, where it gets what `context` says; each is tried once.
  /// - Throws: what it throws, or ``MediaError`` when it breaks its word.
  func proof(_ tap: LoadedTap, _ context: TapContext) throws -> TapProof {
    let key = Trial(plan: tap.plan, latency: tap.latency, format: context.format)
    if let known = proofs[key] { return known }
    let proof = try tap.guarding {
      let log = log.about(.output(context.output))
      func prove(_ log: DiagnosticLog) throws -> TapProof { try TapProbe(tap, context).prove(log) }
      return try store?.proof(tap, context, log, prove) ?? prove(log)
    }
    proofs[key] = proof
    return proof
  }

  /// Facts about the taps of output number `output` that sit at the point of `context` and get what it says.
  /// - Throws: as ``proof(_:_:)``.
  func proofs(_ output: Int, _ context: TapContext) throws -> [TapProof] {
    try taps(output).filter { $0.plan.point == context.point }.map { try proof($0, context) }
  }

  /// Closes the taps that were made since there were `count` of them, the last one first.
  func close(downTo count: Int, _ end: TapEnd) {
    while open.count > count { open.removeLast()(end) }
  }

  /// Number of taps that are open.
  var count: Int { open.count }

  /// Lets the observers of output number `output` look at what was written, which `read` delivers; `file` opens the
  /// files of analyses.
  /// - Throws: what they throw.
  func observe(
    _ output: Int, _ context: TapContext, file: @escaping (String) throws -> DescriptorSink,
    _ read: ((AudioBuffer) throws -> Void) throws -> Void
  ) throws {
    var observers: [(any AudioObserver, TapAccount)] = []
    for (index, loaded) in taps(output).enumerated() {
      guard let make = loaded.observing else { continue }
      let observer = try loaded.guarding { try make(context, file) }
      open.append(observer.close)
      if let analysis = observer as? AnalysisObserver { analyses[output] = analysis }
      let account = account(output, index)
      try account.prepare(observer, context.format)
      observers.append((observer, account))
    }
    guard !observers.isEmpty else { return }
    try read { block in
      for (observer, account) in observers { try account.observe(observer, block) }
    }
    for (observer, account) in observers { try account.finish(observer) }
    for remark in analyses[output]?.remarks ?? [] {
      log.about(.output(output)).decide(.tap, remark, why: "the analysis says so")
    }
  }

  /// Findings of the analyses of output number `output`; `nil` where there are none.
  func analysis(_ output: Int) -> RenderReport.Analysis? { analyses[output]?.findings }

  /// Remarks what the taps of output number `output` did to its level, and what they have to tell themselves.
  func remark(_ output: Int) {
    // Remarks that several outputs share go to the first of them.
    guard shared[output] == nil else { return }
    let log = log.about(.output(output))
    for (index, loaded) in taps(output).enumerated() {
      let account = account(output, index)
      for remark in account.remarks {
        log.decide(.tap, remark, why: "\(loaded.plan.title) says so")
      }
      guard let rise = account.rise, rise > TapLedger.greatestRise else { continue }
      log.degrade(
        .tapLevel,
        "\(loaded.plan.title) raises the peak by \(Decibels.text(rise)) dB; check its settings")
    }
  }

  /// The taps of output number `output` for the report; `nil` where it has none.
  func report(_ output: Int) -> [RenderReport.Tap]? {
    let all = heard(output).map { account(output, $0).report }
    return all.isEmpty ? nil : all
  }

  private func account(_ output: Int, _ tap: Int) -> TapAccount {
    // An observer's view is the output's own; everything else is done once for all parts.
    let isOwn = taps(output)[tap].plan.point == .output
    let place = Place(output: isOwn ? output : shared[output] ?? output, tap: tap)
    if let known = accounts[place] { return known }
    let fresh = TapAccount(taps(output)[tap])
    accounts[place] = fresh
    return fresh
  }
}
