// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import Loudness
import Report
import Signal

/// One output between the passes: what was measured, the gain that was solved, and the sound with gain
/// and limiter applied, as often as it is needed.
final class RenderedOutput {
  let branch: Branch
  /// Threads that may work on it.
  let threads: Int
  /// Takes what each stage of its delivery costs.
  let stages: StageTimes
  /// Loudness in pass 1, levelled where that is asked for.
  let rendered: LoudnessMeasurement
  /// The measurement with its blocks.
  let statistics: LoudnessStatistics
  /// Loudness in pass 1 before any levelling.
  let source: LoudnessStatistics
  /// Target in force: that of the plan, or what takes its place where there is too little dialogue.
  private(set) var target: LoudnessTarget?
  /// Dialogue of the source; `nil` where it wasn't looked for.
  private(set) var dialogue: SourceDialogue.Found?
  /// How often each 100 ms counts where the target is that of the dialogue.
  private var weights: [Int]?
  private let log: DiagnosticLog
  /// Parts whose loudness is measured after gain and limiter.
  private let spans: [SpanMeters.Span]
  private let progress: (RenderProgress) throws -> Void
  /// Largest gain reduction in each 100 ms, dB, as last applied; `nil` without a limiter.
  private(set) var reductions: [Double]?
  /// Loudness in LUFS of the parts that are measured, by their numbers, as last applied; silence has none.
  private(set) var spanLoudness: [Int: Double] = [:]
  /// The sound at both ends; `nil` before it was replayed, and for objects that are stored as they are.
  private(set) var edges: OutputEdges?
  /// Dips in the sound of a lossy encoding, which gain and limiter don't know of; `nil` for none.
  var dips: GainDips?
  /// Loudness that the first plan reaches; corrections for a lossy encoding don't change it.
  private(set) var goal: Double?
  /// The solved gain, for this output alone or for a set.
  private(set) var plan: NormalizationPlan
  /// This output's part in the plan.
  private(set) var track: NormalizationPlan.Track
  /// Delivered loudness of the whole album that it is a track of; `nil` for none.
  private(set) var album: LoudnessMeasurement?

  init(
    branch: Branch, before source: LoudnessStatistics? = nil, threads: Int, stages: StageTimes,
    spans: [SpanMeters.Span] = [], log: DiagnosticLog,
    progress: @escaping (RenderProgress) throws -> Void
  ) {
    self.branch = branch
    self.threads = threads
    self.stages = stages
    self.spans = spans
    self.log = log
    self.progress = progress
    statistics = branch.statistics()
    rendered = statistics.measurement
    self.source = source ?? statistics
    target = branch.plan.level
    track = NormalizationPlan.Track(output: rendered)
    plan = NormalizationPlan(gainDB: 0, tracks: [track], output: rendered, outcome: .silent)
  }

  /// Samples per channel.
  var frames: Int64 { branch.spool.frames }

  /// The rendered programme as the normaliser takes it.
  var programme: NormalizationProgramme {
    NormalizationProgramme(
      format: branch.format, statistics: statistics, figures: branch.figures, weights: weights
    ) { [self] first, consume in
      guard branch.kept == nil else {
        throw MediaError(.internal, "objects can't be limited; their gain is lowered instead")
      }
      try branch.spool.replay(from: first) { start, block in
        try show(.finish, 0)
        return try consume(start, block)
      }
    }
  }

  /// Energies of sound with these `statistics`, in the source's time.
  func energies(_ statistics: LoudnessStatistics) -> StepEnergies {
    StepEnergies(
      meanSquares: statistics.meanSquares, sampleRate: branch.format.sampleRate,
      lead: Int(branch.samplesBefore))
  }

  /// Figures of the dialogue of sound with these `statistics`; `nil` where none was looked for.
  func figures(_ statistics: LoudnessStatistics) -> DialogueLoudness? {
    dialogue?.figures(energies(statistics), statistics.measurement)
  }

  /// Loudness in LUFS that is brought to the target: of the whole or of its dialogue, levelled where that is asked for.
  var loudness: Double? {
    target?.anchor == .dialogue ? figures(statistics)?.dialogueLoudness : rendered.integrated
  }

  /// Takes the dialogue that was found in the source.
  func take(_ found: SourceDialogue.Found) { dialogue = found }

  /// Settles the loudness that is brought to the target, where that is to be the dialogue's: by that of `all` files of one gain.
  func settleAnchor(_ all: [FoundDialogue]) {
    guard let asked = target, asked.anchor == .dialogue, let found = dialogue else { return }
    let share = GainNotes.percent(all.share)
    let speech =
      "\(Decibels.text(all.certainSeconds)) s or \(share)"
      + (all.count > 1 ? " of all files together" : "")
    guard all.verdict == .dialogue else {
      target?.anchor = nil
      target?.integrated = asked.programmeTarget ?? asked.integrated
      log.degrade(
        .dialogueNotFound,
        "certain speech makes \(speech), and 10 s and 15 % are needed, so the whole is brought to "
          + "\(Decibels.text(target?.integrated ?? 0)) LUFS")
      return
    }
    weights = energies(statistics).counts(of: found.dialogue.certain)
    log.decide(
      .anchor, "dialogue", why: "asked for by \(setting: .anchor); certain speech makes \(speech)")
    if all.confidence == .low {
      log.degrade(
        .dialogueUncertain,
        "the dialogue is brought to its target, but less than half of what was found is certain")
    }
  }

  /// Takes the plan, in which this output is number `index`, of an album where `isAlbum` says so; `nil` leaves the level alone.
  func adopt(_ plan: NormalizationPlan?, index: Int = 0, isAlbum: Bool = false) {
    album = isAlbum ? plan?.output : nil
    guard let plan, let target else {
      let obstacle = LoudnessMeter.obstacle(branch.format)
      log.decide(
        .loudness, obstacle == nil ? "off" : "off and not reported",
        why: reasonWithoutTarget + (obstacle.map { "; \($0)" } ?? ""))
      goal = track.output.integrated
      return
    }
    self.plan = plan
    track = plan.tracks[index]
    goal = goal ?? track.output.integrated
    GainNotes(
      log: log, target: target, stated: branch.plan.stated, isDrivenByLFE: isDrivenByLFE
    ).note(plan, track)
  }

  /// Whether the LFE channels by themselves, at the level at which others play them, reach half of the largest peak.
  private var isDrivenByLFE: Bool {
    guard let bass = branch.lfePeakLevel, let peak = rendered.truePeak else { return false }
    return bass >= peak - 6
  }

  /// Why the level is left alone.
  private var reasonWithoutTarget: String {
    let container = branch.plan.container
    guard container.keeps != nil, branch.plan.endpoint == .none else {
      return "asked for by \(setting: .loudness) off"
    }
    let name = container.coding.iamf == nil ? container.kind.traits.name : ContainerTraits.iamf.name
    return "a programme keeps its level in \(name); \(setting: .loudness) in LUFS changes it"
  }

  /// Gain and limiter applied to the rendered sound.
  var level: QueueRecord.Level {
    guard let ceiling = plan.limiterCeilingDB, let limiter = track.limiter else {
      return QueueRecord.Level(gainDB: plan.gainDB)
    }
    return QueueRecord.Level(
      gainDB: plan.gainDB, ceilingDB: ceiling, response: limiter.response)
  }

  /// Withdraws the reports on the plan in force, because another plan replaces it.
  func withdrawGainNotes() {
    for code in [DegradationCode.limited, .limitedHard, .clipped] { log.withdraw(code) }
  }

  /// Reports the progress of a pass.
  func show(_ pass: RenderProgress.Pass, _ done: Int64) throws {
    try progress(
      RenderProgress(
        pass: pass, done: done, total: frames, sampleRate: branch.format.sampleRate))
  }

  /// How far, in dB, a track that is stored peaks above what is rendered of the programme; tracks of
  /// integers are held below the same limit.
  var trackExcess: Double {
    guard let kept = branch.kept, branch.plan.container.coding.encoding.integerBits != nil,
      let peak = rendered.truePeak
    else { return 0 }
    return max(0, kept.peakLevel - peak)
  }

  /// Replays the spool through gain and limiter.
  func replay(_ consume: (AudioBuffer) throws -> Void) throws {
    guard branch.kept == nil else { return try replayTracks(consume) }
    var applied: any AudioStage = GainStage(gainDB: plan.gainDB)
    reductions = nil
    if let ceiling = plan.limiterCeilingDB, let limiter = track.limiter {
      applied = TruePeakLimiter(
        gainDB: plan.gainDB, ceilingDB: ceiling, response: limiter.response,
        quiet: track.quiet)
    }
    let stage = try Compensated(applied, name: "gain", input: branch.format)
    let scratch = AudioBuffer(channels: branch.format.channels)
    let meters = SpanMeters(spans, format: branch.format, dualMono: branch.plan.isDualMono)
    let edges = OutputEdges(branch.format)
    func handOn() throws {
      guard scratch.frames > 0 else { return }
      try meters.add(scratch)
      try consume(scratch)
    }
    try branch.spool.replay { block in
      edges.add(block)
      scratch.removeAll()
      try stage.process(block, into: scratch)
      try handOn()
    }
    scratch.removeAll()
    try stage.finish(into: scratch)
    try handOn()
    spanLoudness = meters.loudness
    self.edges = edges
    reductions = (applied as? TruePeakLimiter)?.reductionsDB
  }

  /// Largest gain reduction in the first 100 ms in dB, as last applied; 0 without a limiter.
  var firstReductionDB: Double { reductions?.first ?? 0 }

  /// Largest gain reduction in the last 100 ms that have begun in dB, as last applied; 0 without a limiter.
  var finalReductionDB: Double {
    let step = Int64(LoudnessMeter.stepLength(at: branch.format.sampleRate))
    guard let reductions, Int64(reductions.count) * step >= frames else { return 0 }
    return reductions.last ?? 0
  }

  /// Replays tracks that are stored as they are, with the gain.
  private func replayTracks(_ consume: (AudioBuffer) throws -> Void) throws {
    let gain = Float(Decibels.amplitude(plan.gainDB))
    let scratch = AudioBuffer(channels: branch.tracks)
    try branch.spool.replay { block in
      scratch.removeAll()
      scratch.append(block)
      for channel in 0..<scratch.channels {
        let samples = scratch.channel(channel)
        for index in samples.indices { samples[index] *= gain }
      }
      try consume(scratch)
    }
  }
}

/// The beginning and the end of an output, before its gain and limiter.
struct OutputEdges {
  /// Part of a second at each end that is looked at: 10 ms.
  static let parts = 100
  /// Largest magnitude there that counts as silence: −60 dBFS.
  private static let silence: Float = 0.001

  private let length: Int
  private let first: AudioBuffer
  private let last: AudioBuffer

  /// The edges of an output of `format` of which nothing has passed.
  init(_ format: AudioFormat) {
    length = format.sampleRate / OutputEdges.parts
    first = AudioBuffer(channels: format.channels)
    last = AudioBuffer(channels: format.channels)
  }

  /// Takes the next samples.
  func add(_ samples: AudioBuffer) {
    first.append(samples, range: 0..<min(samples.frames, length - first.frames))
    last.append(samples, range: max(0, samples.frames - length)..<samples.frames)
    last.removeFirst(max(0, last.frames - length))
  }

  /// Whether its sound goes on where the output `former` ends.
  func goesOn(from former: OutputEdges) -> Bool {
    OutputEdges.goOn(former.last, 0..<former.last.frames, first, 0..<first.frames)
  }

  /// Whether the sound of `end`, the last part of `earlier`, goes on in `start`, the first of `later`: both are loud, and in no
  /// channel is the step between them more than twice the largest one between neighbouring samples of both. Levels alone don't
  /// show it, because tracks that have nothing to do with each other may be loud where they meet. Sounds with different channels
  /// can't be compared, so they do.
  static func goOn(
    _ earlier: AudioBuffer, _ end: Range<Int>, _ later: AudioBuffer, _ start: Range<Int>
  ) -> Bool {
    guard peak(earlier, end) > silence, peak(later, start) > silence else { return false }
    guard earlier.channels == later.channels else { return true }
    return (0..<earlier.channels).allSatisfy { channel in
      let (left, right) = (earlier.channel(channel)[end], later.channel(channel)[start])
      let step = (right[start.lowerBound] - left[end.upperBound - 1]).magnitude
      return step <= 2 * max(largestStep(left), largestStep(right))
    }
  }

  /// Largest magnitude in `range` of `samples`, in any channel.
  private static func peak(_ samples: AudioBuffer, _ range: Range<Int>) -> Float {
    (0..<samples.channels).map {
      samples.greatestMagnitude(channel: $0, from: range.lowerBound, count: range.count)
    }.max() ?? 0
  }

  private static func largestStep(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) -> Float {
    zip(samples, samples.dropFirst()).map { ($1 - $0).magnitude }.max() ?? 0
  }
}

/// Measures the loudness of parts of an output while it passes by.
final class SpanMeters {
  /// A part of an output.
  struct Span: Sendable {
    /// Its number, different from those of the others.
    let number: Int
    /// Its samples, counted from the output's first.
    let range: Range<Int64>
  }

  /// Loudness in LUFS of the parts that have ended, by their numbers; silence has none.
  private(set) var loudness: [Int: Double] = [:]
  private let format: AudioFormat
  private let dualMono: Bool
  /// The parts that haven't begun, the next one last.
  private var waiting: [Span]
  private var open: [(span: Span, meter: LoudnessMeter)] = []
  private var position: Int64 = 0

  /// Meters of `spans`, in any order, of an output of `format`.
  init(_ spans: [Span], format: AudioFormat, dualMono: Bool) {
    self.format = format
    self.dualMono = dualMono
    waiting = spans.sorted { $0.range.lowerBound > $1.range.lowerBound }
  }

  /// Measures the next samples.
  /// - Throws: ``MediaError`` when they can't be measured.
  func add(_ samples: AudioBuffer) throws {
    let end = position + Int64(samples.frames)
    while let span = waiting.last, span.range.lowerBound < end {
      waiting.removeLast()
      open.append(
        (span, try LoudnessMeter(format: format, measuresTruePeak: false, dualMono: dualMono)))
    }
    for (span, meter) in open {
      let range = span.range.clamped(to: position..<end)
      guard range != position..<end else {
        try meter.add(samples)
        continue
      }
      guard !range.isEmpty else { continue }
      let part = AudioBuffer(channels: samples.channels, capacity: range.count)
      part.append(
        samples, range: Int(range.lowerBound - position)..<Int(range.upperBound - position))
      try meter.add(part)
    }
    position = end
    close()
  }

  /// Takes the figures of the parts that have ended.
  private func close() {
    for (span, meter) in open where span.range.upperBound <= position {
      loudness[span.number] = meter.measurement().integrated
    }
    open.removeAll { $0.span.range.upperBound <= position }
  }
}
