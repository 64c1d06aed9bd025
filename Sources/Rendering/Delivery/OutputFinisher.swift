import Platform
import Signal
import AudioCore
import ISOBMFF
import LibAV
import Loudness
import MediaOut
import Report

/// Pass 2 of one output: solves the gain, writes the file, reads it back and judges it.
final class OutputFinisher {
  private let job: RenderJob
  let branch: Branch
  private let target: OutputTarget
  private let companions: Companions?
  private let language: String
  private let log: DiagnosticLog
  private let report: (RenderProgress) throws -> Void
  /// What pass 1 measured.
  let rendered: LoudnessMeasurement
  /// Loudness of the written file over time.
  private(set) var series: LoudnessSeries?
  private let statistics: LoudnessStatistics
  /// What the report draws besides.
  private(set) var curves: RenderReport.Curves?
  /// Largest gain reduction in each 100 ms, dB, as last applied.
  private var reductions: [Double]?
  /// LU by which a lossy encoding may move the loudness before it is corrected.
  private static let codecTolerance = 0.1
  /// Loudness of the first plan, which no correction for an encoding changes.
  private var goal: Double?
  private var isClipped = false
  /// Start-up samples of the encoder.
  private var priming = 0
  /// The pictures as they were last written.
  private var video: CopiedVideo?
  /// The solved gain, for this output alone or for a set.
  private(set) var plan: NormalizationPlan
  /// This output's part in the plan.
  private(set) var track: NormalizationPlan.Track

  init(
    job: RenderJob, branch: Branch, target: OutputTarget, companions: Companions?,
    language: String, log: DiagnosticLog, report: @escaping (RenderProgress) throws -> Void
  ) {
    self.job = job
    self.branch = branch
    self.target = target
    self.companions = companions
    self.language = language
    self.log = log
    self.report = report
    statistics = branch.statistics()
    rendered = statistics.measurement
    track = NormalizationPlan.Track(output: rendered)
    plan = NormalizationPlan(gainDB: 0, tracks: [track], output: rendered, outcome: .silent)
  }

  /// Samples per channel of the output.
  var frames: Int64 { branch.spool.frames }

  /// Samples by which the track begins late; silence takes their place in HLS.
  private var startOffset: Int64 { (companions?.clock.audioOffset ?? 0) - branch.lead }

  /// The rendered programme as the normaliser takes it.
  var programme: NormalizationProgramme {
    NormalizationProgramme(format: branch.format, statistics: statistics) { [self] consume in
      try branch.spool.replay { block in
        try tell(.finish, 0)
        try consume(block)
      }
    }
  }

  /// Takes the plan, in which this output is number `index`; `nil` leaves the level alone.
  func adopt(_ plan: NormalizationPlan?, index: Int = 0) {
    guard let plan, let target = job.loudness else {
      log.decide("loudness", "off", why: "asked for by --loudness off")
      goal = track.output.integrated
      return
    }
    self.plan = plan
    track = plan.tracks[index]
    goal = goal ?? track.output.integrated
    GainNotes(log: log, target: target).note(plan, track)
  }

  /// Writes the file with gain and limiter applied.
  func write(metadata: [String: String], step: String, timeReference: UInt64) throws {
    let writer: AudioSink
    switch job.form {
    case .wav: writer = try wavWriter(metadata, broadcast(metadata, step, timeReference))
    case .flac: writer = try flacWriter(metadata)
    case .copy: throw MediaError(.internal, "\(target.name): a copy isn't rendered")
    case .fragmentedMP4(let encoding, let bitRate), .hls(let encoding, let bitRate):
      let movie = try movieWriter(metadata, encoding, bitRate)
      priming = movie.initialPadding
      writer = movie
    }
    var done: Int64 = 0
    try apply { block in
      try writer.write(block)
      done += Int64(block.frames)
      try tell(.finish, done)
    }
    try writer.close()
    if let movie = writer as? FragmentedAudioWriter { try publish(movie) }
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
    let found: WrittenFile
    switch job.form {
    case .wav:
      found = try WAVProof(job: job, target: target, format: branch.format, frames: frames)
        .read { try tell(.verify, $0) }
    case .flac, .fragmentedMP4, .hls, .copy:
      found = try EncodedProof(
        job: job, target: target, format: branch.format, frames: frames, priming: priming,
        startOffset: startOffset, video: video
      ).read { try tell(.verify, $0) }
    }
    let named = job.form.encoding?.layout(for: branch.format.layout) ?? branch.format.layout
    if named != branch.format.layout, found.layout == named {
      log.decide(
        "layout", named.name,
        why:
          "what \(job.form.encoding?.rawValue ?? "") calls \(branch.format.layout); the channels "
          + "are the same")
    } else if found.layout != branch.format.layout {
      log.degrade(
        "layout-not-carried",
        "readers of the file take \(branch.format.layout) for \(found.layout); the channels are the "
          + "same")
    }
    series = found.statistics.series
    curves = LevelsReport.curves(
      before: statistics, after: found.statistics, reductions: reductions,
      spectra: (branch.spectrumLevels, found.spectrum))
    let measured = found.statistics.measurement
    try judge(measured)
    var output = RenderReport.Output(
      path: target.name, format: found.format, endpoint: branch.output.endpoint.rawValue,
      samples: found.samples, pcmSHA256: found.digest, verified: true, gainDB: plan.gainDB,
      integrated: measured.integrated, truePeak: measured.truePeak)
    output.tracks = companions?.report(video)
    return (measured, output)
  }

  /// How far, in dB, a lossy encoding has lifted the true peak above its ceiling; `nil` when it
  /// hasn't or the peak doesn't matter.
  func overshoot(_ measured: LoudnessMeasurement) -> Double? {
    guard job.form.isLossy, let target = job.loudness, target.peakPolicy != .ignore,
      rendered.integrated != nil, let peak = measured.truePeak, peak > target.truePeak
    else { return nil }
    return peak - target.truePeak
  }

  /// How far, in LU, a lossy encoding has moved the loudness from what was planned first; `nil` when
  /// it is near enough.
  func drift(_ measured: LoudnessMeasurement) -> Double? {
    guard job.form.isLossy, let goal, let got = measured.integrated else { return nil }
    return (got - goal).magnitude > OutputFinisher.codecTolerance ? got - goal : nil
  }

  private func wavWriter(
    _ metadata: [String: String], _ broadcast: BroadcastInfo
  ) throws -> AudioSink {
    var settings = WAVSettings(
      format: branch.format, encoding: job.encoding, dither: job.dither, frames: frames)
    if !WAVWriter.carries(branch.format.layout) {
      log.degrade(
        "layout-not-carried",
        "WAV has no channel mask for \(branch.format.layout); channels are written in its order "
          + "without a mask")
    }
    settings.tags = SourceTags.carried(metadata, job, log)
    settings.broadcast = broadcast
    return try WAVWriter(descriptor: target.descriptor, name: target.name, settings: settings)
  }

  private func flacWriter(_ metadata: [String: String]) throws -> AudioSink {
    var settings = FLACSettings(format: branch.format)
    settings.bits = job.encoding.integerBits ?? 24
    settings.dither = job.dither
    settings.tags = SourceTags.carried(metadata, job, log)
    settings.maker = maker
    settings.encoderOptions = job.encoderOptions
    settings.cover = companions?.cover
    return try FLACWriter(descriptor: target.descriptor, name: target.name, settings: settings)
  }

  /// Who made the file and for what; how a later run knows that it is virtualised.
  private var maker: String {
    "Pinna \(PinnaVersion.text)" + (branch.virtualization.map { "; \($0.mark)" } ?? "")
  }

  private func movieWriter(
    _ metadata: [String: String], _ encoding: AudioEncoding, _ bitRate: Int?
  ) throws -> FragmentedAudioWriter {
    var settings = FragmentedAudioSettings(
      format: branch.format, encoding: encoding, frames: frames,
      fragmentDuration: job.fragmentDuration.samples(at: branch.format.sampleRate))
    settings.bits = job.encoding.integerBits ?? 24
    settings.bitRate = bitRate
    settings.dither = job.dither
    settings.tags = MovieTags(SourceTags.carried(metadata, job, log), encoder: maker)
    companions?.complete(&settings.tags)
    if encoding == .pcm, branch.format.channels > 2 {
      log.degrade(
        "layout-not-carried",
        "the layout of PCM in MP4 (chnl) is read by few programs; others see "
          + "\(branch.format.channels) channels in the order of \(branch.format.layout)")
    }
    let levels = track.output
    settings.loudness = TrackLoudness(
      integrated: levels.integrated, truePeak: levels.truePeak, samplePeak: levels.samplePeak,
      range: levels.range, momentaryMax: levels.momentaryMax, shortTermMax: levels.shortTermMax)
    settings.editsPriming = !(encoding == .opus && job.isForMediaSource)
    settings.startOffset = startOffset
    settings.encoderOptions = job.encoderOptions
    settings.isBinaural = branch.virtualization == .binaural
    settings.isForSegmentFiles = job.hasSegmentFiles
    settings.language = language
    video = try companions?.makeVideo()
    return try FragmentedAudioWriter(
      name: target.name,
      files: target.movieFiles(
        video: video, subtitles: companions?.subtitles.map(CopiedSubtitles.init) ?? []),
      settings: settings)
  }

  private func publish(_ writer: FragmentedAudioWriter) throws {
    let pictures = video.flatMap { track in
      writer.movies.first { $0 !== writer.movie }.map {
        HLSPublisher.Video(movie: $0, track: track)
      }
    }
    try target.writePlaylists(
      HLSPublisher(
        audio: HLSPublisher.Audio(
          movie: writer.movie, codec: writer.codec, timescale: branch.format.sampleRate,
          channels: "\(branch.format.channels)", language: language), video: pictures,
        subtitles: companions?.subtitles ?? [], hasSegmentFiles: job.hasSegmentFiles))
  }

  /// Highest sample peak a programme without loudness may have in the file: its own, and the step
  /// it may have been rounded up by.
  private var peakOfSilence: Double { max((rendered.samplePeak ?? -200) + plan.gainDB, -90) + 0.1 }

  private func noteEncoding() {
    if let rate = job.sampleRate {
      log.decide("rate", "\(rate) Hz", why: "asked for by -r")
    }
    if job.form.isLossy {
      guard job.encoding != .pcm24 || job.dither != .none else { return }
      log.decide(
        "bits", "none", why: "a lossy encoding has no bits to choose; -b and --dither play no part")
    } else if let bits = job.encoding.integerBits, bits < 24 {
      log.decide("bits", "\(bits)", why: "asked for by -b, dither \(job.dither.rawValue)")
    }
  }

  /// LU by which the file may measure otherwise than planned. What lossy encodings leave out is
  /// corrected or reported, so that only what can't be theirs fails; rounding to integers moves quiet
  /// programmes by what half a step is to their level, weighted and over all channels.
  private func tolerance(_ wanted: Double) -> Double {
    if job.form.isLossy { return 6 }
    guard let bits = job.encoding.integerBits else { return 0.02 }
    let step = Double(sign: .plus, exponent: 1 - bits, significand: 1)
    return 0.02 + Decibels.level(1 + step / Decibels.amplitude(wanted))
  }

  /// A lossy encoding may leave anything of a programme that is shorter than its frames.
  private func isBeyondJudging(_ measured: LoudnessMeasurement) -> Bool {
    guard job.form.isLossy, measured.isShort else { return false }
    if measured.integrated == nil {
      log.degrade(
        "codec-loudness",
        "the encoding leaves nothing of a programme this short; use a lossless -c:a")
    }
    return true
  }

  private func judge(_ measured: LoudnessMeasurement) throws {
    guard !isClipped || measured.samplePeak != nil else {
      throw MediaError(
        .verificationFailed, "\(target.name): the written file is silent; nothing was kept")
    }
    if track.output.integrated == nil, (measured.samplePeak ?? -200) > peakOfSilence {
      throw MediaError(
        .verificationFailed,
        "\(target.name): the written file is louder than the programme; nothing was kept")
    }
    if let wanted = track.output.integrated, !isClipped, !isBeyondJudging(measured) {
      guard let got = measured.integrated, (got - wanted).magnitude <= tolerance(wanted) else {
        let got = measured.integrated.map { Decibels.text($0) } ?? "silence"
        throw MediaError(
          .verificationFailed,
          "\(target.name): the written file measures \(got) LUFS, not \(Decibels.text(wanted)); "
            + "nothing was kept")
      }
    }
    guard !job.form.isLossy, let wanted = job.loudness, wanted.peakPolicy != .ignore,
      rendered.integrated != nil,
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
    var applied: AudioStage = GainStage(gainDB: plan.gainDB)
    reductions = nil
    if let ceiling = plan.limiterCeilingDB, let limiter = track.limiter {
      applied = TruePeakLimiter(
        gainDB: plan.gainDB, ceilingDB: ceiling, response: limiter.response)
    }
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
    reductions = (applied as? TruePeakLimiter)?.reductionsDB
  }

  private func broadcast(
    _ metadata: [String: String], _ step: String, _ timeReference: UInt64
  ) -> BroadcastInfo {
    var step = "endpoint=\(branch.output.endpoint.rawValue); " + step
    if let made = branch.virtualization { step += "; \(made.mark)" }
    step += "; gain=\(Decibels.signedText(plan.gainDB))dB"
    let history = SourceTags.history(
      metadata, format: branch.format, encoding: job.encoding, step: step)
    var info = BroadcastInfo(
      description: job.keepsMetadata ? metadata["description"] ?? metadata["title"] ?? "" : "",
      timeReference: timeReference, codingHistory: history)
    info.loudness = track.output.integrated
    info.range = track.output.range
    info.truePeak = track.output.truePeak
    info.momentaryMax = track.output.momentaryMax
    info.shortTermMax = track.output.shortTermMax
    return info
  }
}
