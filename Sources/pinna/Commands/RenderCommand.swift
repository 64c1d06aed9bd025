import Inspection
import Rendering
import ArgumentParser
import AudioCore
import FoundationEssentials
import Loudness
import MediaOut
import Report
import Timeline

/// `pinna render`.
struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a media file for one listening endpoint.")

  @Argument(help: "Media files, http(s) URLs or playlists of HLS; - is standard input.") var inputs:
    [String]
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: "Output file; a folder for several inputs; - is standard output.")
  var output: String
  @OptionGroup(title: "Input") var input: InputArguments
  @OptionGroup(title: "Render") var render: RenderArguments
  @OptionGroup(title: "Listener") var listener: ListenerArguments
  @OptionGroup(title: "Run") var run_: RunArguments

  mutating func run() async throws {
    let preset = try render.preset.map { try PresetsCommand.library.preset($0) }
    let settings = RenderSettings(render, preset: preset)
    let jobs = try self.jobs(settings)
    if let account = settings.account, !run_.quiet { Terminal.error(account) }
    if run_.deterministic { PortablePaths.force() }
    let runner = try RenderRunner(arguments: run_, isSingle: jobs.count == 1)
    let code = await runner.run(jobs, isAlbum: settings.album)
    if code != 0 { throw ExitStatus(code: code) }
  }

  /// The jobs these arguments ask for; nothing is opened yet.
  func jobs(_ settings: RenderSettings) throws -> [RenderJob] {
    guard settings.album || !settings.loudestTrack else {
      throw MediaError(.usage, "--loudest-track: only means something with --album; add it")
    }
    let template = try template(settings)
    let jobs = try OutputNames.resolve(
      inputs: inputs, output: output, form: template.form
    ).map { name, path in
      var job = template
      job.input = RenderJob.Location(name)
      job.outputs[0].location = RenderJob.Location(path)
      return job
    }
    let toStandardOutput = jobs.flatMap(\.outputs).filter { $0.location == .standardStream }
    guard toStandardOutput.count + (run_.json ? 1 : 0) <= 1 else {
      throw MediaError(
        .usage, "--json, -o - and --also …:-: only one can have standard output; choose one")
    }
    if let report = run_.report {
      try OutputNames.checkReport(report, jobs: jobs, overwrite: render.overwrite)
    }
    return jobs
  }

  private func template(_ settings: RenderSettings) throws -> RenderJob {
    let endpoint: Endpoint = try Choice.parse(settings.endpoint, "--endpoint")
    let first = RenderJob.Output(endpoint: endpoint, location: .standardStream)
    var job = RenderJob(input: .standardStream, outputs: [first] + (try alsoOutputs()))
    job.decoding = try input.options()
    job.priming = try PrimingOption(render.priming)
    job.gaps = try Choice.parse(render.gaps, "--gaps")
    job.start = try render.start.map { try TimeSpec($0, option: "--start") }
    job.end = try render.end.map { try TimeSpec($0, option: "--end") }
    job.duration = try render.duration.map { try TimeSpec($0, option: "--duration") }
    job.alignment = try Choice.parse(render.align, "--align")
    job.tail = try Choice.parse(render.tail, "--tail")
    let switches: Switch = try Choice.parse(render.virtualizer, "--virtualizer")
    job.isVirtualizerOn = switches == .on
    job.alreadyVirtualized = try Choice.parse(render.alreadyVirtualized, "--already-virtualized")
    job.hrtf = RenderJob.HRTFChoice(render.hrtf)
    job.hrtfOptions = try render.symmetry.options()
    job.sofaReading = SOFAReaderCommand.reading
    job.cacheFolder = HRTFCacheFolder.path(ProcessInfo.processInfo.environment)
    job.decisions = settings.decision.map { [$0] } ?? []
    try applyPlaces(to: &job)
    try listener.apply(to: &job)
    try applyLevels(settings, to: &job)
    try applyOutput(settings, to: &job)
    return job
  }

  private func applyPlaces(to job: inout RenderJob) throws {
    if let span = render.speakerSpan {
      guard job.outputs.contains(where: { $0.endpoint == .speakers }) else {
        throw MediaError(.usage, "--speaker-span: only means something with --endpoint speakers")
      }
      job.speakerSpan = try Choice.number(span, "--speaker-span")
    }
    guard render.layout != "keep" else { return }
    guard let layout = ChannelLayout(name: render.layout) else {
      throw MediaError(
        .usage,
        "--layout \(render.layout): unknown layout; give keep or one of "
          + ChannelLayout.knownNames.joined(separator: ", "))
    }
    job.layout = layout
  }

  private func applyLevels(_ settings: RenderSettings, to job: inout RenderJob) throws {
    if let gain = render.lfeGain {
      job.lfe = gain == "off" ? .dropped : .gain(try Choice.number(gain, "--lfe-gain"))
    }
    job.downmix = try Choice.parse(render.downmix, "--downmix")
    job.isDualMono = settings.dualMono
    let peak = try Choice.number(settings.truePeak, "--true-peak")
    let policy: PeakPolicy = try Choice.parse(settings.peakPolicy, "--peak-policy")
    let isOff = settings.loudness == "off"
    let loudness = isOff ? -16 : try Choice.number(settings.loudness, "--loudness")
    var target = LoudnessTarget(integrated: loudness, truePeak: peak, peakPolicy: policy)
    target.mode = try Choice.parse(settings.loudnessMode, "--loudness-mode")
    target.lowersOnly = settings.lowerOnly
    target.maxGain = try settings.maxGain.map { try Choice.number($0, "--max-gain") }
    target.threshold = try settings.threshold.map { try Choice.number($0, "--threshold") }
    target.reference = settings.loudestTrack ? .loudestTrack : .programme
    // Nonsense is refused even where it wouldn't be used.
    try target.validate()
    job.loudness = isOff ? nil : target
  }

  private func applyOutput(_ settings: RenderSettings, to job: inout RenderJob) throws {
    job.sampleRate = settings.rate
    job.form = try OutputChoice.form(
      format: settings.format, codec: render.codec, bitRate: render.bitRate, bits: settings.bits,
      output: output)
    let target: OpusTarget = try Choice.parse(render.opusTarget, "--opus-target")
    job.isForMediaSource = target == .mse
    job.encoderOptions = try Choice.pairs(render.outputOptions, "--out-opt")
    job.hasSegmentFiles = render.segmentFiles
    try applyDurations(to: &job)
    job.encoding = try Choice.parse(settings.bits, "-b")
    job.dither = try Choice.parse(settings.dither, "--dither")
    let video: Carry = try Choice.parse(render.video, "--video")
    let subtitles = Carry(rawValue: render.subtitles)
    job.subtitleFile = subtitles == nil ? render.subtitles : nil
    job.keepsVideo = video == .copy
    job.keepsSubtitles = subtitles != .drop
    job.keepsChapters = !render.noChapters
    job.keepsMetadata = !render.noMetadata
    job.overwrite = render.overwrite
    job.isStrict = run_.strict
    job.isDryRun = run_.dryRun
    job.spoolMemory = try Choice.size(run_.maxMemory, "--max-memory")
    job.outputLimit = try run_.maxOutputSize.map {
      Int64(try Choice.size($0, "--max-output-size"))
    }
    if let size = run_.blockSize {
      guard size > 0 else { throw MediaError(.usage, "--block-size \(size): give 1 or more") }
      job.blockSize = size
    }
  }

  /// A segment of HLS is one fragment.
  private func applyDurations(to job: inout RenderJob) throws {
    if job.form.isHLS {
      guard render.fragmentDuration == nil else {
        throw MediaError(
          .usage, "--fragment-duration: a segment of HLS is one fragment; use --segment-duration")
      }
      let length = render.segmentDuration ?? "6s"
      job.fragmentDuration = try TimeSpec(length, option: "--segment-duration")
      return
    }
    guard render.segmentDuration == nil else {
      throw MediaError(.usage, "--segment-duration: only means something with -f hls")
    }
    if let length = render.fragmentDuration {
      job.fragmentDuration = try TimeSpec(length, option: "--fragment-duration")
    }
  }

  private func alsoOutputs() throws -> [RenderJob.Output] {
    try render.also.map { text in
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2, inputs.count == 1 else {
        throw MediaError(
          .usage, "--also \(text): give it as endpoint:file, with a single input")
      }
      try OutputChoice.checkName(parts[1], besides: output, format: render.format)
      return RenderJob.Output(
        endpoint: try Choice.parse(parts[0], "--also"), location: RenderJob.Location(parts[1]))
    }
  }
}
