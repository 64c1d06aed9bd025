// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import Signal

/// Sends a test signal through a tap before the sound: a burst of noise between silence.
struct TapProbe {
  /// Seconds of the signal.
  private static let seconds = 3
  /// Seconds that a response is given to die away.
  private static let longest = 30
  /// Samples of the burst.
  private static let burst = 4096
  /// Peak of the burst.
  private static let peak: Float = 0.25
  /// Least likeness of what comes out to the burst for its place to count.
  private static let likeness = 0.7

  let tap: LoadedTap
  let context: TapContext

  init(_ tap: LoadedTap, _ context: TapContext) {
    self.tap = tap
    var context = context
    context.isProbe = true
    context.expectedFrames = Int64(TapProbe.seconds * context.format.sampleRate)
    self.context = context
  }

  /// Facts about the tap; remarks go to `log`. A tap of Pinna's own, whose delay is known, is only sent the
  /// signal where `isThorough` asks for it, and isn't judged by it.
  /// - Throws: what the tap throws; ``MediaError`` of kind `verificationFailed` when it states another delay than it
  ///   has.
  func prove(_ log: DiagnosticLog, isThorough: Bool = false) throws -> TapProof {
    let asked = try ask()
    guard tap.tempo.isSame else { return try proveTempo(asked, log) }
    guard isThorough || tap.latency != .trusted else { return asked }
    let signal = signal(seconds: TapProbe.seconds)
    let first = try run(signal, step: 1024, asked)
    var proof = asked
    proof.isDeterministic = try asked.isDeterministic && first == run(signal, step: 1024, asked)
    // Blocks that the tap asks for are the same whatever the steps are.
    if proof.isDeterministic, !asked.hasOwnBlocks, try first != run(signal, step: 480, asked) {
      proof.blocks = .atMost(1024)
      log.decide(
        .tap, "blocks of 1024",
        why: "what \(tap.plan.title) makes depends on the size of its blocks")
    }
    if !proof.isDeterministic { tellVariation(log) }
    let delayed = try tap.onlyDelaying.map {
      try TapProbe($0, context).run(signal, step: 1024, asked)
    }
    proof.measured = place(of: signal, in: delayed ?? first)
    if !tap.rings, tap.latency == .measured || tap.latency == .none {
      proof.tail = max(proof.tail, (first.map(\.count).max() ?? 0) - signal.frames)
    }
    proof = try TapJudgement(title: tap.plan.title, rule: tap.latency, log: log)
      .settled(proof, onset: onset(in: first))
    if tap.rings { proof.tail = try ringing(first, proof, asked, log) }
    return proof
  }

  /// Facts about a tap that changes the tempo; the places of clicks are reported in `log`.
  private func proveTempo(_ asked: TapProof, _ log: DiagnosticLog) throws -> TapProof {
    let probe = TempoProbe(format: context.format, tempo: tap.tempo)
    let first = try run(probe.signal, step: 1024, asked)
    var proof = asked
    proof.isDeterministic = try first == run(probe.signal, step: 1024, asked)
    if !proof.isDeterministic { tellVariation(log) }
    let lead = Int((TempoTap.lead * Double(context.format.sampleRate)).rounded())
    guard let found = probe.finding(first, lead: lead), found.delay >= 0 else {
      throw MediaError(
        .verificationFailed, about: tap.plan.title,
        "changes a test signal so much that its sound isn't found where it should lie; choose other options"
      )
    }
    proof.measured = found.delay
    proof.used = found.delay
    let time = Double(found.spread) / Double(context.format.sampleRate) * 1000
    guard time <= TempoProbe.greatestSpread else {
      throw MediaError(
        .verificationFailed, about: tap.plan.title,
        "moves the clicks of a test signal by up to \(Decibels.text(time)) ms against each other, so nothing has a "
          + "proper time after it; choose other options")
    }
    if time > TempoProbe.doubtfulSpread {
      log.degrade(
        .tapLatency,
        "\(tap.plan.title) moves the clicks of a test signal by up to \(Decibels.text(time)) ms from their places"
      )
    }
    log.decide(
      .tap, "a tempo of \(tap.tempo.factor)",
      why:
        "\(tap.plan.title) asks for it; the length is divided by it, and the clicks of a test signal lie within "
        + "\(Decibels.text(time)) ms of their places")
    return proof
  }

  private func tellVariation(_ log: DiagnosticLog) {
    log.degrade(
      .tapVaries, "\(tap.plan.title) makes something else of the same sound each time")
  }

  /// Statements of the tap.
  private func ask() throws -> TapProof {
    var blank = TapProof()
    if case .pinned = tap.latency { blank.isPinned = true }
    return try opened(blank) { host in
      var proof = blank
      proof.isKnown = true
      (proof.declared, proof.used, proof.tail) = (host.latency, host.latency, host.tail)
      proof.memory = host.contract.memory
      proof.isDeterministic = host.contract.isDeterministic
      proof.hasOwnBlocks = host.contract.blocks != .any
      return proof
    }
  }

  private func opened<Value>(_ proof: TapProof, _ body: (TapHost) throws -> Value) throws -> Value {
    let host = TapHost(
      try tap.make(context, known: proof), name: tap.plan.title, blocks: proof.blocks,
      tempo: tap.tempo)
    do {
      _ = try host.prepare(context.format)
      let value = try body(host)
      host.close(.finished)
      return value
    } catch {
      host.close(.failed)
      throw error
    }
  }

  /// The first sample of `output` that is louder than -60 dB below its peak, counted from the burst; `nil` for silence.
  private func onset(in output: [[Float]]) -> Int? {
    let peak = output.map { $0.reduce(0) { max($0, $1.magnitude) } }.max() ?? 0
    guard peak > 0 else { return nil }
    let first = output.compactMap { $0.firstIndex { $0.magnitude > peak * 1e-3 } }.min()
    return first.map { $0 - context.format.sampleRate }
  }

  /// By how many samples the response outlasts the burst, until it stays below -100 dBFS for a second; it is given half
  /// a minute.
  private func ringing(
    _ output: [[Float]], _ proof: TapProof, _ asked: TapProof, _ log: DiagnosticLog
  ) throws -> Int {
    let rate = context.format.sampleRate
    let end = rate + min(TapProbe.burst, rate) + proof.used
    func tail(_ output: [[Float]]) -> Int? {
      let last = output.compactMap { $0.lastIndex { $0.magnitude > 1e-5 } }.max() ?? 0
      guard last + rate <= output.map(\.count).max() ?? 0 else { return nil }
      return max(0, last + 1 - end)
    }
    if let short = tail(output) { return short }
    let long = signal(seconds: TapProbe.seconds + TapProbe.longest)
    if let found = try tail(run(long, step: 4096, asked)) { return found }
    log.decide(
      .tap, "no tail",
      why:
        "\(tap.plan.title) still sounds \(TapProbe.longest) s after a test signal, so its end isn't known"
    )
    return 0
  }

  /// Seconds of silence with a burst after the first, different noise in each channel.
  private func signal(seconds: Int) -> AudioBuffer {
    let rate = context.format.sampleRate
    let signal = AudioBuffer(channels: context.format.channels)
    signal.appendSilence(seconds * rate)
    for channel in 0..<signal.channels {
      var noise = ProbeNoise(seed: channel &* 7919 &+ 12_345)
      let plane = signal.channel(channel)
      for index in rate..<(rate + min(TapProbe.burst, rate)) {
        plane[index] = noise.next() * TapProbe.peak
      }
    }
    return signal
  }

  /// Output of the tap for `signal` in steps of so many samples.
  private func run(_ signal: AudioBuffer, step: Int, _ proof: TapProof) throws -> [[Float]] {
    try opened(proof) { host in
      let output = AudioBuffer(channels: signal.channels)
      let block = AudioBuffer(channels: signal.channels)
      var position = 0
      while position < signal.frames {
        let end = min(signal.frames, position + step)
        block.removeAll()
        block.append(signal, range: position..<end)
        try host.process(block, into: output)
        position = end
      }
      try host.finish(into: output)
      return (0..<output.channels).map { Array(output.channel($0)) }
    }
  }

  /// By how many samples the burst of `signal` lies later in `output`; `nil` where it isn't found.
  private func place(of signal: AudioBuffer, in output: [[Float]]) -> Int? {
    let rate = context.format.sampleRate
    let count = min(TapProbe.burst, rate)
    let length = output.map(\.count).max() ?? 0
    let fft = DoubleFFT(length: length + count)
    var sum = [Double](repeating: 0, count: fft.length)
    var power = [Double](repeating: 0, count: length + 1)
    var energy = 0.0
    for (channel, plane) in output.enumerated() {
      let burst = (0..<count).map { Double(signal.channel(channel)[rate + $0]) }
      energy += burst.reduce(0) { $0 + $1 * $1 }
      var before = 0.0
      for (index, value) in plane.enumerated() {
        before += Double(value) * Double(value)
        power[index + 1] += before
      }
      TapProbe.correlate(burst, plane.map(Double.init), fft, into: &sum)
    }
    let last = length - count
    guard last >= 0, let best = (0...last).max(by: { sum[$0].magnitude < sum[$1].magnitude })
    else { return nil }
    let own = power[best + count] - power[best]
    guard own > 0, sum[best].magnitude >= TapProbe.likeness * (energy * own).squareRoot() else {
      return nil
    }
    return best - rate
  }

  /// Adds the correlation of `signal` with `burst` at each lag to `sum`.
  private static func correlate(
    _ burst: [Double], _ signal: [Double], _ fft: DoubleFFT, into sum: inout [Double]
  ) {
    // Both signals are real: one is the real part of the transform, the other the imaginary one.
    var re = signal + [Double](repeating: 0, count: fft.length - signal.count)
    var im = burst + [Double](repeating: 0, count: fft.length - burst.count)
    fft.forward(&re, &im)
    var (productRe, productIm) = (re, im)
    for bin in 0..<fft.length {
      let other = (fft.length - bin) % fft.length
      let s = (0.5 * (re[bin] + re[other]), 0.5 * (im[bin] - im[other]))
      let b = (0.5 * (im[bin] + im[other]), -0.5 * (re[bin] - re[other]))
      productRe[bin] = s.0 * b.0 + s.1 * b.1
      productIm[bin] = s.1 * b.0 - s.0 * b.1
    }
    fft.inverse(&productRe, &productIm)
    for index in sum.indices { sum[index] += productRe[index] / Double(fft.length) }
  }
}

/// A test signal for taps that change the tempo: clicks, whose places in the output are compared with those that the
/// tempo gives them.
struct TempoProbe {
  /// The result of the clicks.
  struct Finding: Equatable {
    /// Samples by which the output is late, in its middle value.
    let delay: Int
    /// Largest difference of a click from that, in samples.
    let spread: Int
  }

  /// Milliseconds that a click may lie from its place before that is reported as a degradation, and at most.
  static let (doubtfulSpread, greatestSpread) = (40.0, 100.0)
  /// Number of clicks.
  private static let clicks = 12
  /// Seconds from one click to the next, from the beginning to the first, and from the last to the end.
  private static let step = 0.5
  /// Share of a click's peak that counts as its beginning.
  private static let beginning: Float = 0.3
  /// Peak that a click has at least in the output.
  private static let audible: Float = 1e-3

  let format: AudioFormat
  let tempo: Tempo

  /// Sample at which click number `index` begins.
  private func place(_ index: Int) -> Int {
    Int(Double(index + 1) * TempoProbe.step * Double(format.sampleRate))
  }

  /// The signal: bursts of noise of 5 ms that die away, the same in all channels.
  var signal: AudioBuffer {
    let signal = AudioBuffer(channels: format.channels)
    signal.appendSilence(place(TempoProbe.clicks))
    let length = format.sampleRate / 200
    for channel in 0..<signal.channels {
      let plane = signal.channel(channel)
      var noise = ProbeNoise(seed: 12_345)
      for click in 0..<TempoProbe.clicks {
        for index in 0..<length {
          let decay = 1 - Float(index) / Float(length)
          plane[place(click) + index] = noise.next() * 0.5 * decay
        }
      }
    }
    return signal
  }

  /// Places of the clicks in `output`; `nil` where one isn't found. Silence of `lead` samples went into the tap before
  /// the signal.
  func finding(_ output: [[Float]], lead: Int) -> Finding? {
    let length = output.map(\.count).min() ?? 0
    // Clicks are looked for on both sides of their places, as far as no other one lies there.
    let reach = Int(0.4 * TempoProbe.step / tempo.factor * Double(format.sampleRate))
    var delays: [Int] = []
    for click in 0..<TempoProbe.clicks {
      let expected = Int(tempo.frames(Int64(place(click))))
      let centre = Int(tempo.frames(Int64(place(click) + lead)))
      let range = max(0, centre - reach)..<min(length, centre + reach)
      guard !range.isEmpty else { return nil }
      let peaks = range.map { index in output.reduce(0) { max($0, $1[index].magnitude) } }
      let peak = peaks.max() ?? 0
      guard peak > TempoProbe.audible,
        let first = peaks.firstIndex(where: { $0 > peak * TempoProbe.beginning })
      else { return nil }
      delays.append(range.lowerBound + first - expected)
    }
    delays.sort()
    let middle = delays[delays.count / 2]
    return Finding(
      delay: middle, spread: delays.map { abs($0 - middle) }.max() ?? 0)
  }
}

/// White noise for test signals, the same in every run (the generator of Numerical Recipes).
package struct ProbeNoise {
  private var state: UInt32

  /// Noise that differs for each `seed`.
  package init(seed: Int) { state = UInt32(truncatingIfNeeded: seed) }

  /// The next sample, from -1 to 1.
  package mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(state >> 8) / Float(1 << 23) - 1
  }
}

/// Tries a tap without any sound of the user's.
package struct TapCheck {
  /// Starts programs.
  let launcher: ProgramLauncher

  /// A check that starts programs as `environment` says.
  package init(_ environment: RenderEnvironment) { launcher = environment.programs }

  /// Report on `tap` from a test signal of `format`.
  /// - Throws: ``MediaError`` when it can't be made, fails, or breaks its word.
  package func run(_ tap: Tap, _ format: AudioFormat) throws -> TapCheckReport {
    let log = DiagnosticLog()
    guard let loaded = try TapLoader(launcher: launcher, log: log).load([tap]).first else {
      throw MediaError(.internal, "no tap was read")
    }
    let plan = loaded.plan
    let proof = try loaded.guarding {
      try TapProbe(loaded, TapContext(point: tap.point, format: format))
        .prove(log.about(.output(0)), isThorough: true)
    }
    return TapCheckReport(
      point: plan.point, kind: plan.kind, name: plan.name, sha256: plan.sha256,
      settings: plan.settings, rate: format.sampleRate, layout: format.layout.name,
      latency: RenderReport.Tap.Latency(
        declared: proof.declared, measured: proof.measured, used: proof.used),
      tail: proof.tail, deterministic: proof.isDeterministic,
      dependsOnBlocks: proof.blocks != nil, degradations: log.degradations,
      decisions: log.decisions)
  }
}
