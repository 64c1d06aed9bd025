import AudioCore
import Glibc
import Loudness
import MediaOut
import Report
import Verify

/// Pass 2 of one output: solves the gain, writes the file, reads it back and judges it.
final class OutputFinisher {
  private let job: RenderJob
  private let branch: Branch
  private let target: OutputTarget
  private let log: DiagnosticLog
  private let report: (RenderProgress) throws -> Void
  /// What pass 1 measured.
  let rendered: LoudnessMeasurement
  private var isClipped = false
  /// The solved gain and limiter.
  private(set) var plan: NormalizationPlan

  init(
    job: RenderJob, branch: Branch, target: OutputTarget, log: DiagnosticLog,
    report: @escaping (RenderProgress) throws -> Void
  ) {
    self.job = job
    self.branch = branch
    self.target = target
    self.log = log
    self.report = report
    rendered = branch.measurement()
    plan = NormalizationPlan(gainDB: 0, limiterCeilingDB: nil, limiter: nil, output: rendered)
  }

  /// Samples per channel of the output.
  var frames: Int64 { branch.spool.frames }

  /// Solves the gain.
  func solve() throws {
    guard let wanted = job.loudness else {
      log.decide("loudness", "off", why: "asked for by --loudness off")
      return
    }
    guard rendered.integrated != nil else {
      log.degrade("silent", "the programme is silent, so its level is left alone")
      return
    }
    if rendered.isShort {
      log.degrade(
        "short-programme",
        "the programme is shorter than 400 ms; its loudness is measured ungated as one block")
    }
    plan = try LoudnessNormalizer(target: wanted).solve(
      rendered: rendered, format: branch.format, dualMono: job.isDualMono
    ) { consume in
      try branch.spool.replay { block in
        try tell(.finish, 0)
        try consume(block)
      }
    }
    if let limiter = plan.limiter, limiter.response != .gentle {
      log.degrade(
        "limited-hard",
        "the target is only reached by a limiter with a \(limiter.response.rawValue) response, "
          + "which distorts; use --peak-policy lower for none")
    }
    if let limiter = plan.limiter, limiter.maxReductionDB > 6 || limiter.activeFraction > 0.01 {
      log.degrade(
        "limited",
        "the limiter took off up to \(Decibels.text(-limiter.maxReductionDB)) dB and worked "
          + "\(percent(limiter.activeFraction)) of the time; use --peak-policy lower for none")
    }
  }

  /// Writes the file with gain and limiter applied.
  func write(metadata: [String: String], step: String, timeReference: UInt64) throws {
    var settings = WAVSettings(
      format: branch.format, encoding: job.encoding, dither: job.dither, frames: frames)
    if !WAVWriter.carries(branch.format.layout) {
      log.degrade(
        "layout-not-carried",
        "WAV has no channel mask for \(branch.format.layout); channels are written in its order "
          + "without a mask")
    }
    settings.tags = job.keepsMetadata ? SourceTags.tags(metadata) : OutputTags()
    for name in settings.tags.cutToFit() {
      log.degrade(
        "tag-cut", "the \(name) tag is longer than \(OutputTags.longest) bytes and was cut")
    }
    settings.broadcast = broadcast(metadata, step, timeReference)
    let writer = try WAVWriter(
      descriptor: target.descriptor, name: target.name, settings: settings)
    var done: Int64 = 0
    try apply { block in
      try writer.write(block)
      done += Int64(block.frames)
      try tell(.finish, done)
    }
    try writer.close()
    isClipped = writer.clippedSamples > 0
    noteEncoding()
    if isClipped {
      log.degrade(
        "clipped",
        "\(writer.clippedSamples) sample(s) were beyond full scale and are clipped; use "
          + "--peak-policy limit or lower, or -b 32f")
    }
  }

  /// Reads the written file back and compares it with what was meant.
  /// - Returns: the measured levels and the output's entry in the report.
  func verify() throws -> (levels: LoudnessMeasurement, output: RenderReport.Output) {
    let reader = try WAVFileReader(
      descriptor: target.descriptor, name: target.name, layout: branch.format.layout)
    try WAVExpectation(
      format: branch.format, frames: frames, bits: job.encoding.integerBits ?? 32,
      isFloat: job.encoding == .float32, checksMask: WAVWriter.carries(branch.format.layout)
    ).check(reader.header, name: target.name)
    let meter = try LoudnessMeter(format: branch.format, dualMono: job.isDualMono)
    let block = AudioBuffer(channels: branch.format.channels)
    var done: Int64 = 0
    while try reader.read(into: block) {
      try meter.add(block)
      done += Int64(block.frames)
      block.removeAll()
      try tell(.verify, done)
    }
    let measured = meter.measurement()
    try judge(measured)
    let output = RenderReport.Output(
      path: target.name, format: reader.header.isRF64 ? "rf64" : "wav",
      endpoint: branch.output.endpoint.rawValue, samples: done,
      pcmSHA256: reader.digest.hexadecimal, verified: true, gainDB: plan.gainDB,
      integrated: measured.integrated, truePeak: measured.truePeak)
    return (measured, output)
  }

  /// Highest sample peak a programme without loudness may have in the file: its own, and the step
  /// it may have been rounded up by.
  private var peakOfSilence: Double { max(rendered.samplePeak ?? -200, -90) + 0.1 }

  private func noteEncoding() {
    if let rate = job.sampleRate {
      log.decide("rate", "\(rate) Hz", why: "asked for by -r")
    }
    if let bits = job.encoding.integerBits, bits < 24 {
      log.decide("bits", "\(bits)", why: "asked for by -b, dither \(job.dither.rawValue)")
    }
  }

  private func judge(_ measured: LoudnessMeasurement) throws {
    // Rounding to 16 bits moves the loudness of very quiet programmes; 24 bits doesn't show.
    let tolerance = job.encoding == .pcm16 ? 0.1 : 0.02
    guard !isClipped || measured.samplePeak != nil else {
      throw MediaError(
        .verificationFailed, "\(target.name): the written file is silent; nothing was kept")
    }
    if plan.output.integrated == nil, (measured.samplePeak ?? -200) > peakOfSilence {
      throw MediaError(
        .verificationFailed,
        "\(target.name): the written file is louder than the programme; nothing was kept")
    }
    if let wanted = plan.output.integrated, !isClipped {
      guard let got = measured.integrated, (got - wanted).magnitude <= tolerance else {
        let got = measured.integrated.map { Decibels.text($0) } ?? "silence"
        throw MediaError(
          .verificationFailed,
          "\(target.name): the written file measures \(got) LUFS, not \(Decibels.text(wanted)); "
            + "nothing was kept")
      }
    }
    guard let wanted = job.loudness, wanted.peakPolicy != .ignore, rendered.integrated != nil,
      let peak = measured.truePeak
    else { return }
    guard peak <= wanted.truePeak + 0.005 else {
      throw MediaError(
        .verificationFailed,
        "\(target.name): the written file peaks at \(Decibels.text(peak)) dBTP, above the ceiling "
          + "of \(Decibels.text(wanted.truePeak)); nothing was kept")
    }
  }

  private func tell(_ pass: RenderProgress.Pass, _ done: Int64) throws {
    try report(
      RenderProgress(
        pass: pass, done: done, total: frames, sampleRate: branch.format.sampleRate))
  }

  /// Replays the spool through gain and limiter.
  private func apply(_ consume: (AudioBuffer) throws -> Void) throws {
    let applied: AudioStage =
      plan.limiterCeilingDB.map {
        TruePeakLimiter(
          gainDB: plan.gainDB, ceilingDB: $0, response: plan.limiter?.response ?? .gentle)
      } ?? GainStage(gainDB: plan.gainDB)
    let stage = try CompensatedStage(applied, name: "gain", input: branch.format) { _ in
      .input(tail: 0)
    }
    let scratch = AudioBuffer(channels: branch.format.channels)
    try branch.spool.replay { block in
      scratch.removeAll()
      try stage.process(block, into: scratch)
      if scratch.frames > 0 { try consume(scratch) }
    }
    scratch.removeAll()
    try stage.finish(into: scratch)
    if scratch.frames > 0 { try consume(scratch) }
  }

  private func broadcast(
    _ metadata: [String: String], _ step: String, _ timeReference: UInt64
  ) -> BroadcastInfo {
    var step = "endpoint=\(branch.output.endpoint.rawValue); " + step
    if branch.isVirtualized { step += "; \(SourceTags.virtualizedMark)" }
    step += "; gain=\(Decibels.text(plan.gainDB))dB"
    let history = SourceTags.history(
      metadata, format: branch.format, encoding: job.encoding, step: step)
    var info = BroadcastInfo(
      description: job.keepsMetadata ? metadata["description"] ?? metadata["title"] ?? "" : "",
      timeReference: timeReference, codingHistory: history)
    info.loudness = plan.output.integrated
    info.range = plan.output.range
    info.truePeak = plan.output.truePeak
    info.momentaryMax = plan.output.momentaryMax
    info.shortTermMax = plan.output.shortTermMax
    return info
  }

  private func percent(_ fraction: Double) -> String {
    let tenths = Int((fraction * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
