// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness
import Platform
import Report

/// Builds a run's report during the run.
struct ReportBuilder {
  private let log: DiagnosticLog
  private let use = ResourceUse()
  private let stages: StageTimes
  private let request: RenderRequest
  private var report: RenderReport
  private var audioSeconds = 0.0
  private var renders: [RenderReport.Render] = []
  /// The set of programmes that share one gain.
  var album: RenderReport.Loudness.Album?
  /// The gain over time of all outputs.
  var levelling: Levelling?
  /// The change of the source's dialogue.
  var dialogueGain: RenderReport.DialogueGain?
  /// Whether figures that the file states aren't true of its sound any more.
  var isChanged = false

  init(request: RenderRequest, log: DiagnosticLog, stages: StageTimes) {
    self.request = request
    self.log = log
    self.stages = stages
    report = RenderReport(toolchain: ToolchainFacts.current)
  }

  /// Notes the software and processor that are used, once it is settled which code libav uses.
  mutating func begin() { report.toolchain = ToolchainFacts.current }

  /// Takes the facts about the inputs, and of a queue where its items lie.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  mutating func take(_ sound: any OpenedSound) throws {
    report.inputs = try sound.inputs()
    report.queue = sound.queue
    audioSeconds = sound.seconds
  }

  /// Takes what is known of a queue's items now that the outputs are written.
  mutating func refresh(_ sound: any OpenedSound) { report.queue = sound.queue }

  /// Takes the plan; only a dry run reports it.
  /// - Throws: `EncodingError`.
  mutating func plan(_ plan: RenderPlan) throws {
    guard request.policy.isDryRun else { return }
    report.plan = try JSONValue(encoding: plan)
  }

  /// Takes what the renderers are.
  mutating func describe(_ branches: [Branch], _ choices: [RendererChooser.Choice]) {
    renders = zip(branches, choices).map { branch, choice in
      let plan = branch.plan
      return RenderReport.Render(
        endpoint: plan.endpoint, virtualized: plan.renderer.virtualization != nil,
        hrtf: choice.hrtf, room: choice.room, latencyCompensated: branch.latency,
        head: plan.keepsHead ? branch.head : nil, tail: branch.tail,
        lfeGainDB: choice.lfeGainDB, speakerSpan: plan.renderer.speakerSpan,
        downmix: choice.downmix,
        layout: branch.contents, rate: branch.format.sampleRate)
    }
    if request.policy.isDryRun { report.planned = renders }
  }

  /// Takes an output that was proved.
  mutating func deliver(
    _ index: Int, _ output: RenderedOutput, _ proof: OutputDelivery.Proof,
    tracks: [RenderReport.CopiedTrack]?, taps: [RenderReport.Tap]?,
    analysis: RenderReport.Analysis?
  ) {
    let file = proof.file
    var section = RenderReport.Output(
      path: request.outputs[index].location.name, format: file.format,
      endpoint: output.branch.plan.endpoint, samples: file.samples,
      pcmSHA256: file.digest ?? "", verified: true, gainDB: output.plan.gainDB,
      integrated: proof.levels.integrated, truePeak: proof.levels.truePeak)
    section.tracks = tracks
    section.taps = taps
    section.analysis = analysis
    section.render = renders[index]
    section.loudness = loudness(output, proof)
    section.curves = LevelsReport.curves(
      before: output.source, after: file.statistics,
      reductions: output.dips?.added(to: output.reductions) ?? output.reductions,
      spectra: (output.branch.spectrumLevels, file.spectrum))
    report.outputs.append(section)
  }

  /// Takes a copy that was proved.
  mutating func copied(_ result: CopyRunner.Result) {
    report.inputs = [result.input]
    report.outputs = [result.output]
    guard let timeline = result.input.timeline else { return }
    audioSeconds = Double(timeline.samplesOut) / Double(max(1, timeline.start.rate))
  }

  /// The report of a run that ended well; `isUnchanged` when the level was within the threshold
  /// already.
  func finished(isUnchanged: Bool) -> RenderReport {
    var report = completed()
    report.status = isUnchanged ? .unchanged : .ok
    if log.degradations.contains(where: { $0.code == .silent }) { report.status = .silent }
    return report
  }

  /// The report of a run that failed.
  func failed(_ error: MediaError) -> RenderReport {
    var report = completed()
    report.status = .error
    report.exit = error.exitCode
    report.error = RenderReport.Failure(kind: error.kind.rawValue, message: error.message)
    report.outputs = []
    return report
  }

  private func completed() -> RenderReport {
    var report = report
    report.level = levelling
    report.dialogueGain = dialogueGain
    report.degradations = log.degradations
    report.decisions = log.decisions
    report.sandbox = Sandbox.current.map {
      RenderReport.Sandbox(landlock: $0.landlock, held: $0.held, network: $0.usesNetwork)
    }
    let wall = use.wallSeconds
    report.performance = RenderReport.Performance(
      cpuSeconds: use.cpuSeconds, wallSeconds: wall,
      realtimeFactor: wall > 0 ? audioSeconds / wall : 0, peakRSSMiB: ResourceUse.peakRSSMiB)
    let costs = stages.report
    report.performance?.stages = costs.isEmpty ? nil : costs
    return report
  }

  private func mode(_ target: LoudnessTarget?) -> RenderReport.Loudness.Mode {
    switch target?.mode {
    case .measured: return .measured
    case .metadata: return .metadata
    case nil: return .off
    }
  }

  private func loudness(
    _ output: RenderedOutput, _ proof: OutputDelivery.Proof
  ) -> RenderReport.Loudness {
    let target = output.target
    let before = output.source.measurement
    let limiter = output.track.limiter.map {
      RenderReport.Loudness.Limiter(
        maxReductionDB: $0.maxReductionDB, activeFraction: $0.activeFraction,
        response: $0.response)
    }
    let measured = target.flatMap { target in
      output.loudness.map { target.integrated - $0 }
    }
    let dialnorm = target.flatMap { target in
      isChanged ? nil : report.inputs.first?.dialnorm.map { target.integrated - $0 }
    }
    var loudness = RenderReport.Loudness(
      mode: mode(target), target: target?.integrated,
      input: LevelsReport.levels(before), gainDB: output.plan.gainDB,
      outcome: target == nil ? nil : output.plan.outcome, limiter: limiter,
      output: LevelsReport.levels(proof.levels), measuredGainDB: measured,
      dialnormGainDB: dialnorm,
      differenceDB: measured.flatMap { gain in dialnorm.map { gain - $0 } },
      stated: output.branch.plan.stated.map { stated in
        RenderReport.Loudness.Stated(
          layout: stated.layout, integrated: stated.integrated,
          measured: before.integrated, comparable: stated.isComparable)
      }, album: album,
      series: LevelsReport.series(proof.file.statistics))
    // Two channels or more count as they are.
    let isDual = output.branch.plan.isDualMono && output.branch.format.channels == 1
    loudness.dualMono = isDual ? true : nil
    loudness.anchor = target?.anchor == .dialogue ? .dialogue : nil
    loudness.dialogue = output.figures(proof.file.statistics)
    loudness.inputDialogue = output.figures(output.source)?.dialogueLoudness
    return loudness
  }
}

/// Turns measurements into their part of a report.
package enum LevelsReport {
  /// The figures of a measurement as reports list them.
  package static func levels(_ measured: LoudnessMeasurement) -> RenderReport.Levels {
    RenderReport.Levels(
      integrated: measured.integrated, momentaryMax: measured.momentaryMax,
      shortTermMax: measured.shortTermMax, range: measured.range, truePeak: measured.truePeak,
      channelTruePeaks: measured.channelTruePeaks, samplePeak: measured.samplePeak,
      short: measured.isShort)
  }

  /// Loudness over time, to the hundredth of an LU.
  package static func series(_ measured: LoudnessStatistics) -> RenderReport.Series {
    RenderReport.Series(
      intervalSeconds: LoudnessSeries.interval, momentary: rounded(measured.momentary),
      shortTerm: rounded(measured.shortTerm))
  }

  /// Curves of a programme `before` the gain and `after` it, to the hundredth; `reductions` are those of
  /// each 100 ms, `spectra` the levels of ``LongTermSpectrum/frequencies`` before and after.
  package static func curves(
    before: LoudnessStatistics, after: LoudnessStatistics, reductions: [Double]?,
    spectra: (before: [Double?], after: [Double?])
  ) -> RenderReport.Curves {
    let momentary = rounded(before.momentary)
    let count = momentary.count
    let width = RenderReport.Curves.width(for: count)
    var curves = RenderReport.Curves(
      intervalSeconds: Double(width) / 10,
      inputMomentary: RenderReport.Curves.Curve(momentary, width: width),
      inputShortTerm: RenderReport.Curves.Curve(rounded(before.shortTerm), width: width))
    if let reductions {
      let rest = [Double?](repeating: 0, count: max(0, count - reductions.count))
      let steps = rounded(reductions.map { $0 } + rest)
      curves.gainReductionDB =
        RenderReport.Curves.Curve(steps, width: width).highest.map { $0 ?? 0 }
    }
    curves.inputTruePeakSeconds = rounded([before.truePeakTime])[0]
    curves.outputTruePeakSeconds = rounded([after.truePeakTime])[0]
    if !spectra.before.isEmpty, !spectra.after.isEmpty {
      curves.spectrum = RenderReport.Curves.Spectrum(
        frequenciesHz: LongTermSpectrum.frequencies.map { ($0 * 10).rounded() / 10 },
        inputDB: rounded(spectra.before), outputDB: rounded(spectra.after))
    }
    return curves
  }

  private static func rounded(_ values: consuming [Double?]) -> [Double?] {
    for index in values.indices { values[index] = values[index].map { ($0 * 100).rounded() / 100 } }
    return values
  }
}

/// CPU and wall time of a job, and the process's largest resident set.
package struct ResourceUse {
  private let cpuStart: Double
  private let wallStart: Double

  init() {
    cpuStart = ResourceUse.cpu
    wallStart = ResourceUse.wall
  }

  var cpuSeconds: Double { ResourceUse.cpu - cpuStart }
  var wallSeconds: Double { ResourceUse.wall - wallStart }

  /// Largest resident set so far, MiB.
  static var peakRSSMiB: Double { Double(ProcessMemory.ownPeak) / 1_048_576 }

  private static var cpu: Double { SystemClock.processor }

  package static var wall: Double { SystemClock.steady }
}

/// Software and processor of this process.
enum ToolchainFacts {
  static var current: RenderReport.Toolchain {
    RenderReport.Toolchain(
      pinna: PinnaVersion.text, libavcodec: LibAVVersion.codec, cpu: ProcessorCode.extensions)
  }
}
