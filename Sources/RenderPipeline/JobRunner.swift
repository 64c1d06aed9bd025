import AudioCore
import LibAV
import Loudness
import MediaIn
import Report

/// Runs one job from opened input to renamed output; used once.
final class JobRunner {
  private let job: RenderJob
  private let progress: @Sendable (RenderProgress) -> Void
  private let isCancelled: () -> Bool
  private let log = DiagnosticLog()
  private let use = ResourceUse()
  private var report: RenderReport
  private var audioSeconds = 0.0
  private var reported: [RenderProgress.Pass: Int64] = [:]

  init(
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
  func run() throws {
    LibAVLog.install()
    try checkJob()
    let file = try openInput()
    if job.isDryRun {
      for output in job.outputs {
        try OutputTarget.check(output.location, input: file, overwrite: job.overwrite)
      }
    }
    let targets =
      job.isDryRun
      ? []
      : try job.outputs.map {
        try OutputTarget($0.location, input: file, overwrite: job.overwrite)
      }
    let chain = try SourceChain(job: job, file: file, log: log)
    let metadata = chain.media.container.metadata.merging(chain.stream.metadata) { first, _ in
      first
    }
    report.input = InputFacts.report(job, chain)
    let factory = RendererFactory(job: job, log: log)
    let choices = try job.outputs.map {
      try factory.make($0.endpoint, format: chain.reader.format, metadata: metadata)
    }
    noteObjects(chain)
    let branches = try zip(job.outputs, choices).enumerated().map { index, pair in
      let (output, choice) = pair
      return try Branch(
        output: output, target: targets.isEmpty ? nil : targets[index], renderer: choice.stage,
        hrtfID: choice.hrtf?.id,
        isVirtualized: choice.isVirtualized,
        input: chain.reader.format, job: job)
    }
    if let branch = branches.first, let choice = choices.first {
      report.render = renderReport(branch, choice, chain)
    }
    if job.isDryRun { return describeTimeline(chain, branches.first) }
    try renderAll(chain, branches)
    describeTimeline(chain, branches.first)
    try finish(chain, zip(branches, targets).map { $0 }, metadata)
  }

  /// The report of a job that ended well.
  func finishedReport() -> RenderReport {
    report.status = log.degradations.contains { $0.kind == "silent" } ? .silent : .ok
    return completed()
  }

  /// The report of a job that failed.
  func failedReport(_ error: MediaError) -> RenderReport {
    report.status = .error
    report.exit = error.exitCode
    report.error = RenderReport.Failure(kind: error.kind.rawValue, message: error.message)
    report.outputs = []
    return completed()
  }

  /// Any error as a ``MediaError``.
  static func mediaError(_ error: any Error, input: String) -> MediaError {
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

  private func checkJob() throws {
    guard !job.outputs.isEmpty else { throw MediaError(.usage, "no output: give one with -o") }
    if let rate = job.sampleRate, !(8_000...384_000).contains(rate) {
      throw MediaError(.usage, "-r \(rate): give a sample rate between 8000 and 384000 Hz")
    }
    let places = job.outputs.map { FilePlace($0.location.name) }
    guard Set(places).count == places.count else {
      throw MediaError(.usage, "two outputs are the same file; give each its own name")
    }
  }

  private func openInput() throws -> LocalFile {
    if let stream = try JobFiles.open(job.input) { return stream }
    return try MediaFile.locate(job.input.name)
  }

  private func noteObjects(_ chain: SourceChain) {
    if report.input?.objects == "yes" {
      log.degrade(
        "objects-to-bed",
        "the track holds audio objects; only its \(chain.reader.format.layout) bed is rendered")
    }
  }

  private func renderAll(_ chain: SourceChain, _ branches: [Branch]) throws {
    let buffer = AudioBuffer(channels: chain.reader.format.channels, capacity: 8192)
    let cutter = BlockCutter(size: job.blockSize, channels: chain.reader.format.channels)
    var done: Int64 = 0
    var more = true
    while more {
      buffer.removeAll()
      while more, buffer.frames < 4096 { more = try chain.source.read(into: buffer) }
      try cutter.push(buffer) { block in for branch in branches { try branch.process(block) } }
      done += Int64(buffer.frames)
      try tell(
        RenderProgress(
          pass: .render, done: done, total: chain.expected,
          sampleRate: chain.reader.format.sampleRate))
    }
    try cutter.flush { block in for branch in branches { try branch.process(block) } }
    guard done > 0 else {
      throw MediaError(
        .usage, "the range from --start to --end lies beyond the end of \(job.input.name)")
    }
    for branch in branches { try branch.finish() }
    audioSeconds = Double(done) / Double(chain.reader.format.sampleRate)
    noteTails(branches)
    noteLength(chain, rendered: done)
  }

  private func noteTails(_ branches: [Branch]) {
    guard let peak = branches.map(\.cutPeak).max(), peak > 0 else { return }
    log.decide(
      "tail", "trimmed",
      why: "the output is as long as the source; what was cut peaks at "
        + "\(Decibels.text(Decibels.level(peak))) dBFS before the gain, --tail keep keeps it")
  }

  /// A file that holds clearly less than its header says is truncated.
  private func noteLength(_ chain: SourceChain, rendered: Int64) {
    if let asked = chain.asked {
      guard rendered < asked else { return }
      log.degrade(
        "range-short",
        "the range asks for \(asked) samples but the file ends after \(rendered) of them")
    }
    guard let declared = chain.reader.declaredSamples else { return }
    let missing = declared - chain.trimmed.summary.decoded
    guard missing > chain.reader.timestampTolerance,
      !log.degradations.contains(where: { $0.kind == "truncated" })
    else {
      return
    }
    log.degrade(
      "truncated",
      "the header promises \(missing) more samples than the file holds; the rest is missing")
  }

  private func finish(
    _ chain: SourceChain, _ pairs: [(Branch, OutputTarget)], _ metadata: [String: String]
  ) throws {
    var before: Int64 = 0
    let total = pairs.reduce(0) { $0 + $1.0.spool.frames }
    for (index, (branch, target)) in pairs.enumerated() {
      let finisher = OutputFinisher(job: job, branch: branch, target: target, log: log) {
        [self] now in
        var now = now
        now.done += before
        now.total = total
        try tell(now)
      }
      try finisher.solve()
      let hrtf = branch.hrtfID.map { "hrtf=\($0)" } ?? "hrtf=none"
      try finisher.write(
        metadata: metadata, step: "codec=\(chain.stream.codec); \(hrtf)",
        timeReference: timeReference(metadata, chain, branch))
      let proof = try finisher.verify()
      before += branch.spool.frames
      report.outputs.append(proof.output)
      if index == 0 { report.loudness = loudnessReport(finisher, proof.levels) }
    }
    if job.isStrict, let first = log.degradations.first {
      throw MediaError(
        .degraded, "\(job.input.name): \(first.message) (\(first.kind)); --strict allows none")
    }
    // All or none: an output that has appeared meanwhile stops the others too.
    for (_, target) in pairs { try target.checkFree(overwrite: job.overwrite) }
    for (_, target) in pairs { try target.commit(overwrite: job.overwrite) }
  }

  private func timeReference(
    _ metadata: [String: String], _ chain: SourceChain, _ branch: Branch
  ) -> UInt64 {
    // Beyond 2^48 samples a reference is a damaged tag, not a time of day.
    let tag = metadata["time_reference"].flatMap { Int64($0) } ?? 0
    let source = (0..<(1 << 48)).contains(tag) ? tag : 0
    let samples = max(0, source + chain.start)
    let rate = Int64(chain.reader.format.sampleRate)
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
    let done = chain.trimmed.summary
    let rate = chain.reader.format.sampleRate
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
    let hasLFE = chain.reader.format.layout.speakers.contains(where: \.isLFE)
    return RenderReport.Render(
      endpoint: branch.output.endpoint.rawValue, virtualized: choice.isVirtualized,
      hrtf: choice.hrtf, latencyCompensated: branch.latency, tail: branch.tail,
      lfeGainDB: hasLFE && choice.hrtf != nil ? job.lfeGainDB : nil,
      layout: branch.format.layout.name, rate: branch.format.sampleRate)
  }

  private func loudnessReport(
    _ finisher: OutputFinisher, _ output: LoudnessMeasurement
  ) -> RenderReport.Loudness {
    let limiter = finisher.plan.limiter.map {
      RenderReport.Loudness.Limiter(
        maxReductionDB: $0.maxReductionDB, activeFraction: $0.activeFraction,
        response: $0.response.rawValue)
    }
    let dialnorm = report.input?.dialnorm
    return RenderReport.Loudness(
      mode: job.loudness == nil ? "off" : "measured", target: job.loudness?.integrated,
      input: LevelsReport.levels(finisher.rendered), gainDB: finisher.plan.gainDB,
      limiter: limiter, output: LevelsReport.levels(output),
      dialnormGainDB: job.loudness.flatMap { target in
        dialnorm.map { target.integrated - Double($0) }
      })
  }
}
