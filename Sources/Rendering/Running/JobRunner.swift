import Signal
import AudioCore
import LibAV
import Loudness
import MediaIn
import Report

/// Runs one job from opened input to renamed output; used once.
package final class JobRunner {
  /// Times an output is written again because its encoding lifts the peak.
  private static let maxRewrites = 3

  private let job: RenderJob
  private let progress: @Sendable (RenderProgress) -> Void
  private let isCancelled: () -> Bool
  private let log = DiagnosticLog()
  private let use = ResourceUse()
  private var report: RenderReport
  private var audioSeconds = 0.0
  private var reported: [RenderProgress.Pass: Int64] = [:]
  private var chain: SourceChain?
  private var companions: Companions?
  private var metadata: [String: String] = [:]
  private var finishers: [OutputFinisher] = []
  private var targets: [OutputTarget] = []
  private var album: RenderReport.Loudness.Album?

  package init(
    job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping () -> Bool
  ) {
    self.job = job
    self.progress = progress
    self.isCancelled = isCancelled
    report = RenderReport(toolchain: ToolchainFacts.current)
  }

  /// Does the whole job.
  /// - Throws: ``MediaError``; nothing is left behind then.
  package func run() throws {
    if job.form.isCopy { return try copy() }
    try render()
    guard !job.isDryRun else { return }
    try solve()
    try deliver()
    try complete()
    try commit()
  }

  /// Copies coded frames instead of rendering.
  private func copy() throws {
    LibAVLog.install()
    for choice in job.decisions { log.decide(choice.what, choice.chose, why: choice.why) }
    try JobRules.check(job)
    let input = try openInput()
    targets = try reserve(input)
    guard let target = targets.first else { return }
    let result = try CopyRunner(
      job: job, target: target, log: log, tell: { [unowned self] in try tell($0) }
    ).run(input)
    report.input = result.input
    report.timeline = result.timeline
    report.outputs = [result.output]
    let timeline = result.timeline
    audioSeconds = Double(timeline.samplesOut) / Double(max(1, timeline.start.rate))
    try checkStrict()
    try complete()
    try commit()
  }

  private func checkStrict() throws {
    guard job.isStrict, let first = log.degradations.first else { return }
    throw MediaError(
      .degraded, "\(job.input.name): \(first.message) (\(first.kind)); --strict allows none")
  }

  /// Pass 1: decodes, trims, renders and measures. A dry run ends after opening.
  package func render() throws {
    LibAVLog.install()
    for choice in job.decisions { log.decide(choice.what, choice.chose, why: choice.why) }
    try JobRules.check(job)
    let input = try openInput()
    let targets = try reserve(input)
    let chain = try SourceChain(job: job, input: input, log: log)
    metadata = chain.track.first.metadata
    report.input = InputFacts.report(chain.track, of: input)
    let branches = try makeBranches(chain, targets)
    if job.isDryRun { return describeTimeline(chain, branches.first) }
    try renderAll(chain, branches)
    describeTimeline(chain, branches.first)
    let total = branches.reduce(0) { $0 + $1.spool.frames }
    var before: Int64 = 0
    for (branch, target) in zip(branches, targets) {
      let offset = before
      finishers.append(
        OutputFinisher(
          job: job, branch: branch, target: target, companions: companions,
          language: chain.stream.language ?? "", log: log
        ) {
          [unowned self] now in
          var now = now
          now.done += offset
          now.total = total
          try tell(now)
        })
      before += branch.spool.frames
    }
    self.targets = targets
    self.chain = chain
  }

  /// The rendered outputs as the normaliser takes them.
  package var programmes: [NormalizationProgramme] { finishers.map(\.programme) }

  /// Solves a gain for each output.
  package func solve() throws {
    for finisher in finishers {
      guard let target = job.loudness else {
        finisher.adopt(nil)
        continue
      }
      finisher.adopt(try plan(target, for: finisher))
    }
  }

  private func plan(
    _ target: LoudnessTarget, for finisher: OutputFinisher
  ) throws -> NormalizationPlan {
    let normalizer = LoudnessNormalizer(
      target: target, dialnorm: report.input?.dialnorm, dualMono: job.isDualMono)
    return try JobRunner.naming(job.input.name) { try normalizer.solve([finisher.programme]) }
  }

  /// Puts `name` before the sentence of what `body` throws, unless it is there already.
  package static func naming<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as MediaError where !error.message.contains(name) {
      throw MediaError(error.kind, "\(name): \(error.message)")
    }
  }

  /// Takes the plan of an album, in which this job's output is number `track`.
  package func adopt(
    _ plan: NormalizationPlan, track: Int, reference: LoudnessTarget.Reference
  ) {
    finishers[0].adopt(plan, index: track)
    album = RenderReport.Loudness.Album(
      tracks: plan.tracks.count, reference: reference.rawValue,
      integrated: plan.output.integrated, truePeak: plan.output.truePeak)
  }

  /// Pass 2: writes every output, reads it back and judges it.
  package func deliver() throws {
    guard let chain else { return }
    for (index, finisher) in finishers.enumerated() {
      let hrtf = finisher.branch.hrtfID.map { "hrtf=\($0)" } ?? "hrtf=none"
      let step = "codec=\(chain.stream.codec); \(hrtf)"
      let proof = try settle(finisher) {
        try finisher.write(
          metadata: metadata, step: step, timeReference: timeReference(chain, finisher.branch))
        return try finisher.verify()
      }
      report.outputs.append(proof.output)
      if index == 0 {
        report.loudness = loudnessReport(finisher, proof.levels)
        report.curves = finisher.curves
      }
    }
    try checkStrict()
  }

  /// Repeats `deliver` with a lower ceiling or another gain while a lossy encoding lifts the peak
  /// above its ceiling or moves the loudness.
  private func settle(
    _ finisher: OutputFinisher,
    _ deliver: () throws -> (levels: LoudnessMeasurement, output: RenderReport.Output)
  ) throws -> (levels: LoudnessMeasurement, output: RenderReport.Output) {
    var proof = try deliver()
    if var target = job.loudness, target.peakPolicy == .limit || target.peakPolicy == .lower {
      for _ in 0..<JobRunner.maxRewrites where album == nil {
        let overshoot = finisher.overshoot(proof.levels)
        let drift = finisher.drift(proof.levels)
        guard overshoot != nil || drift != nil else { return proof }
        if let overshoot { target.truePeak -= overshoot + 0.02 }
        if let drift { target.integrated -= drift }
        let plan = try plan(target, for: finisher)
        // What the plan before did wasn't kept; with several outputs it may be another's.
        if finishers.count == 1 { ["limited", "limited-hard", "clipped"].forEach(log.withdraw) }
        finisher.adopt(plan)
        proof = try deliver()
      }
    }
    noteEncoding(finisher, proof.levels)
    return proof
  }

  private func noteEncoding(_ finisher: OutputFinisher, _ levels: LoudnessMeasurement) {
    if let overshoot = finisher.overshoot(levels) {
      log.degrade(
        "codec-overshoot",
        "the encoding lifts the true peak \(Decibels.signedText(overshoot)) dB above its ceiling; use "
          + "a lower --true-peak, a higher -b:a or a lossless -c:a")
    }
    if let drift = finisher.drift(levels) {
      log.degrade(
        "codec-loudness",
        "the encoding moves the loudness by \(Decibels.signedText(drift)) LU; use a higher -b:a or a "
          + "lossless -c:a")
    }
  }

  /// Completes all outputs and makes sure that none has appeared meanwhile; all appear or none.
  package func complete() throws {
    for target in targets { try target.complete(overwrite: job.overwrite) }
  }

  /// Puts the proved outputs where they belong.
  package func commit() throws {
    for target in targets { try target.commit(overwrite: job.overwrite) }
  }

  /// The report of a job that ended well.
  package func finishedReport() -> RenderReport {
    report.status = .ok
    if finishers.first?.plan.outcome == .unchanged { report.status = .unchanged }
    if log.degradations.contains(where: { $0.kind == "silent" }) { report.status = .silent }
    return completed()
  }

  /// The report of a job that failed.
  package func failedReport(_ error: MediaError) -> RenderReport {
    report.status = .error
    report.exit = error.exitCode
    report.error = RenderReport.Failure(kind: error.kind.rawValue, message: error.message)
    report.outputs = []
    return completed()
  }

  /// Any error as a ``MediaError``.
  package static func mediaError(_ error: any Error, input: String) -> MediaError {
    if let known = error as? MediaError { return known }
    if let code = error as? LibAVError {
      return MediaError(
        code.meaning == .outOfMemory ? .outOfResources : .internal, "\(input): libav: \(code)")
    }
    return MediaError(.internal, "\(input): \(error)")
  }

  private func completed() -> RenderReport {
    report.degradations = log.degradations
    report.decisions = log.decisions
    let wall = use.wallSeconds
    report.performance = RenderReport.Performance(
      cpuSeconds: use.cpuSeconds, wallSeconds: wall,
      realtimeFactor: wall > 0 ? audioSeconds / wall : 0, peakRSSMiB: ResourceUse.peakRSSMiB)
    return report
  }

  private func openInput() throws -> MediaInput {
    guard case .file(let path) = job.input else {
      return MediaInput(file: try JobFiles.bufferedStandardInput())
    }
    return try MediaInput(
      path: path, track: job.decoding.track, bounds: job.decoding.bounds, log: log,
      isCancelled: isCancelled)
  }

  private func reserve(_ input: MediaInput) throws -> [OutputTarget] {
    guard job.isDryRun else {
      return try job.outputs.map {
        try OutputTarget($0.location, input: input, job: job)
      }
    }
    for output in job.outputs {
      try OutputTarget.check(output.location, input: input, job: job)
    }
    return []
  }

  private func makeBranches(
    _ chain: SourceChain, _ targets: [OutputTarget]
  ) throws -> [Branch] {
    let factory = RendererFactory(job: job, log: log, programme: chain.programme)
    let choices = try job.outputs.map { try factory.make($0.endpoint) }
    noteObjects(chain)
    let rate = chain.programme.sampleRate
    // What lies beside the sound of several sections has as many clocks.
    let isWhole = (chain.input.presentation?.sections.count ?? 1) == 1
    let companions = try Companions(
      job: job, media: isWhole ? chain.media : nil,
      audio: Companions.Place(
        start: chain.absoluteStart, origin: chain.absoluteStart - chain.start,
        sourceRate: Int64(rate), rate: Int64(job.sampleRate ?? rate), length: chain.asked), log: log
    )
    self.companions = companions
    for target in targets {
      try target.reserve(companions, input: chain.input, overwrite: job.overwrite)
    }
    if job.isDryRun {
      for output in job.outputs {
        try OutputTarget.check(companions, at: output.location, input: chain.input, job: job)
      }
    }
    let chapters = chain.media.chapters.count
    LeftOut(job: job, log: log).note(
      chain.media.streams, of: chain.input.presentation,
      chapters: companions.chapters.isEmpty ? chapters : 0,
      carried: companions.carried)
    let late = companions.clock.audioOffset
    noteLateStart(late)
    let branches = try zip(job.outputs, choices).enumerated().map { index, pair in
      let (output, choice) = pair
      return try Branch(
        output: output, target: targets.isEmpty ? nil : targets[index], choice: choice,
        input: chain.programme, job: job, lead: job.form.isHLS ? late : 0)
    }
    if let branch = branches.first, let choice = choices.first {
      report.render = renderReport(branch, choice, chain)
    }
    return branches
  }

  /// Players of HLS begin every rendition at zero, so late sound begins with silence there.
  private func noteLateStart(_ late: Int64) {
    guard late > 0 else { return }
    if job.form.isHLS {
      return log.decide(
        "audio-start", "\(late) samples of silence",
        why: "the sound begins as much later than the pictures, and players of HLS begin all "
          + "renditions together")
    }
    log.decide(
      "audio-start", "\(late) samples after the pictures",
      why: job.form.isLossy
        ? "as in the source; the encoder's start-up samples lie in the time before, where no edit "
          + "list can skip them; --align presentation begins with silence instead"
        : "as in the source")
  }

  private func noteObjects(_ chain: SourceChain) {
    let programme = chain.programme
    if programme.facts.objects == .yes, programme.elements.count == 1,
      case .bed(let layout) = programme.elements[0]
    {
      log.degrade(
        "objects-to-bed", "the track holds audio objects; only its \(layout) bed is rendered")
    }
  }

  private func renderAll(_ chain: SourceChain, _ branches: [Branch]) throws {
    let buffer = ProgrammeBlock(chain.programme, capacity: 8192)
    let cutter = BlockCutter(size: job.blockSize, programme: chain.programme)
    var done: Int64 = 0
    let limit = OutputLimit(job)
    var more = true
    while more {
      try limit.check(branches.map { ($0.spool.frames, $0.format.channels) })
      buffer.removeAll()
      while more, buffer.frames < 4096 {
        more = try JobRunner.naming(job.input.name) { try chain.source.read(into: buffer) }
      }
      try cutter.push(buffer) { block in for branch in branches { try branch.process(block) } }
      done += Int64(buffer.frames)
      try tell(
        RenderProgress(
          pass: .render, done: done, total: chain.expected,
          sampleRate: chain.programme.sampleRate))
    }
    try cutter.flush { block in for branch in branches { try branch.process(block) } }
    guard done > 0 else {
      throw MediaError(
        .usage, "the range from --start to --end lies beyond the end of \(job.input.name)")
    }
    for branch in branches { try branch.finish() }
    audioSeconds = Double(done) / Double(chain.programme.sampleRate)
    noteTails(branches)
    noteDownmixChange(chain, branches)
    noteLength(chain, rendered: done)
  }

  private func noteTails(_ branches: [Branch]) {
    guard let peak = branches.map(\.cutPeak).max(), peak > 0 else { return }
    log.decide(
      "tail", "trimmed",
      why: "the output is as long as the source; what was cut peaks at "
        + "\(Decibels.text(Decibels.level(Double(peak)))) dBFS before the gain, --tail keep keeps it"
    )
  }

  private func noteDownmixChange(_ chain: SourceChain, _ branches: [Branch]) {
    guard job.downmix == .stream, let change = chain.track.downmixChange else { return }
    let standard = RenderReport.Render.Downmix.standard
    let isOwn = branches.contains { ($0.downmixMethod ?? standard) != standard }
    let isLate =
      chain.programme.facts.downmix == nil && branches.contains { $0.downmixMethod == standard }
    guard isOwn || isLate else { return }
    let time = MediaTime(ticks: change, rate: Int64(chain.programme.sampleRate))
    log.degrade(
      "downmix-changed",
      "about \(time) into the track the programme sends other gains for its downmix, or none; "
        + (isOwn ? "its first ones" : "the standard ones") + " stay in force")
  }

  /// A file that holds clearly less than its header says is truncated.
  private func noteLength(_ chain: SourceChain, rendered: Int64) {
    if let asked = chain.asked {
      guard rendered < asked else { return }
      log.degrade(
        "range-short",
        "the range asks for \(asked) samples but the file ends after \(rendered) of them")
    }
    guard let declared = chain.reader.track.declaredSamples else { return }
    let missing = declared - chain.track.first.trimmed.summary.decoded
    guard missing > chain.reader.timestampTolerance,
      !log.degradations.contains(where: { $0.kind == "truncated" })
    else {
      return
    }
    log.degrade(
      "truncated",
      "the header promises \(missing) more samples than the file holds; the rest is missing")
  }

  private func timeReference(_ chain: SourceChain, _ branch: Branch) -> UInt64 {
    // Beyond 2^48 samples a reference is a damaged tag, not a time of day.
    let tag = metadata["time_reference"].flatMap { Int64($0) } ?? 0
    let source = (0..<(1 << 48)).contains(tag) ? tag : 0
    let samples = max(0, source + chain.start)
    let rate = Int64(chain.programme.sampleRate)
    return UInt64(
      MediaTime.rescale(samples, by: Int64(branch.format.sampleRate), over: rate))
  }

  /// Passes progress on and stops the job when it was cancelled.
  private func tell(_ now: RenderProgress) throws {
    if isCancelled() {
      throw MediaError(.interrupted, "\(job.input.name): stopped before it was done")
    }
    // The normaliser's trial runs and the next output's start would step back: they don't show.
    let last = reported[now.pass] ?? 0
    guard now.done >= last else { return }
    reported[now.pass] = now.done
    progress(now)
  }

  private func describeTimeline(_ chain: SourceChain, _ branch: Branch?) {
    let done = chain.track.summary
    let rate = chain.programme.sampleRate
    report.timeline = RenderReport.Timeline(
      priming: RenderReport.Timeline.Priming(
        samples: done.plan.priming, source: done.plan.primingSource?.rawValue ?? "unknown"),
      padding: done.endTrim, paddingSource: done.plan.paddingSource.rawValue,
      start: RenderReport.Timeline.Start(samples: chain.start, rate: rate),
      samplesIn: done.decoded, samplesOut: branch?.spool.frames ?? 0,
      gaps: done.gaps.map {
        RenderReport.Timeline.Gap(
          kind: $0.kind.rawValue, position: $0.position, samples: $0.samples)
      })
  }

  private func renderReport(
    _ branch: Branch, _ choice: RendererFactory.Choice, _ chain: SourceChain
  ) -> RenderReport.Render {
    RenderReport.Render(
      endpoint: branch.output.endpoint.rawValue, virtualized: choice.virtualization != nil,
      hrtf: choice.hrtf, latencyCompensated: branch.latency, tail: branch.tail,
      lfeGainDB: choice.lfeGainDB, speakerSpan: choice.speakerSpan, downmix: choice.downmix,
      layout: branch.format.layout.name, rate: branch.format.sampleRate)
  }

  private func loudnessReport(
    _ finisher: OutputFinisher, _ output: LoudnessMeasurement
  ) -> RenderReport.Loudness {
    let limiter = finisher.track.limiter.map {
      RenderReport.Loudness.Limiter(
        maxReductionDB: $0.maxReductionDB, activeFraction: $0.activeFraction,
        response: $0.response.rawValue)
    }
    let measured = job.loudness.flatMap { target in
      finisher.rendered.integrated.map { target.integrated - $0 }
    }
    let dialnorm = job.loudness.flatMap { target in
      report.input?.dialnorm.map { target.integrated - $0 }
    }
    return RenderReport.Loudness(
      mode: job.loudness?.mode.rawValue ?? "off", target: job.loudness?.integrated,
      input: LevelsReport.levels(finisher.rendered), gainDB: finisher.plan.gainDB,
      outcome: job.loudness == nil ? nil : finisher.plan.outcome.rawValue,
      limiter: limiter, output: LevelsReport.levels(output), measuredGainDB: measured,
      dialnormGainDB: dialnorm,
      differenceDB: measured.flatMap { gain in dialnorm.map { gain - $0 } },
      album: album, series: finisher.series.map(LevelsReport.series))
  }
}
