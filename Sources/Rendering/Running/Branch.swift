// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import LibAV
import Loudness
import Signal

/// One output's way through pass 1: taps, renderer, rate conversion, meter, spool.
final class Branch {
  let plan: RenderPlan.Branch
  let format: AudioFormat
  let spool: Spool
  /// Programme that is stored instead of rendered channels; `nil` where those are stored.
  let kept: KeptProgramme?
  private let before: Upstream
  /// `nil` passes the channels of a bed through.
  private let renderer: Compensated<ProgrammeBlock>?
  /// The taps before the renderer.
  private let items: StepChain
  /// Steps that plain channels pass after the renderer.
  private let steps: StepChain
  /// The output of the renderer.
  private let rendered: AudioBuffer
  private let programme: Programme
  private let taps: [Compensated<AudioBuffer>]
  /// Samples of the output before the first one of the source.
  let head: Int64
  private var meter: LoudnessMeter
  /// Samples of the output that are still to be dropped: they lie before the source.
  private var skipped: Int64 = 0
  /// Most samples that are stored.
  private var limit = Int64.max
  /// LFE channels that other channels play; none where the renderer doesn't.
  private let lfePlanes: [Int]
  private var lfePeak: Float = 0
  private let spectrum: LongTermSpectrum

  /// The treatment of the sound before it comes to the branch.
  struct Upstream {
    /// Samples of latency that were removed.
    var latency = 0
    /// Samples of filter tail that were kept.
    var tail = 0
  }

  /// How far the filters of a branch look, in samples of the source.
  struct Reach {
    /// Samples of sound to come.
    var ahead = 0
    /// Samples of sound before.
    var behind = 0
    /// Whether they look farther than at one sample, or have a memory that they don't state.
    var isAny = false
  }

  /// The processing that `plan` describes for the programme `input`, which comes from `before`; `taps` makes the
  /// taps at a point for sound of a format, `memory` is what the spool may hold in bytes.
  /// - Throws: ``MediaError`` when a step can't take what it gets.
  init(
    plan: RenderPlan.Branch, input: Programme, renderer: (any Renderer)?,
    before: Upstream = Upstream(),
    taps: (TapPoint, AudioFormat) throws -> [Compensated<AudioBuffer>] = { _, _ in [] },
    target: OutputTarget?, memory: Int
  ) throws {
    self.plan = plan
    programme = input
    let items = try input.bedFormat.map { try taps(.item, $0) } ?? []
    self.items = StepChain(items)
    self.renderer = try renderer.map {
      try Compensated($0, name: "the renderer", input: input, keeps: plan.keeps)
    }
    let rendered =
      try self.renderer?.format ?? input.bedFormat(for: "an output of the same channels")
    lfePlanes = renderer != nil && plan.renderer.lfeGainDB != nil ? input.lfePlanes : []
    let behind = try taps(.programme, rendered)
    var steps = behind
    let format = AudioFormat(sampleRate: plan.rate ?? rendered.sampleRate, layout: rendered.layout)
    if format != rendered {
      steps.append(
        try Compensated(
          Resampler(to: format), name: "resampler", input: rendered, length: .produced))
    }
    let last = try taps(.post, format)
    self.format = format
    self.steps = StepChain(steps + last)
    self.taps = items + behind + last
    var upstream = before
    if plan.keepsTail { upstream.tail += self.taps.reduce(0) { $0 + $1.tail } }
    self.before = upstream
    meter = try LoudnessMeter(
      format: format, dualMono: plan.isDualMono, keepsFigures: plan.level?.peakPolicy == .limit,
      needsLoudness: plan.level != nil)
    spectrum = LongTermSpectrum(format: format)
    if case .kept = plan.renderer { kept = KeptProgramme(input) } else { kept = nil }
    spool = Spool(
      channels: kept?.programme.planes ?? format.channels, memoryLimit: memory,
      descriptor: target?.spoolDescriptor ?? -1, name: target?.name ?? "",
      packs: plan.container.leavesPackedSpool)
    self.rendered = AudioBuffer(channels: rendered.channels)
    let early = items.heads + (self.renderer?.head ?? 0) + behind.heads
    let room = plan.keepsHead ? HeadRoom(early, from: rendered.sampleRate, to: format) : nil
    head = (room?.samples ?? 0) + Int64(last.heads)
    try storeLead()
    if let room { try makeRoom(room.silence) }
  }

  /// Number of tracks that are stored.
  var tracks: Int { spool.channels }

  /// Content of the output, in words.
  var contents: String { kept?.programme.contents ?? format.layout.name }

  /// Latency of the renderer that was removed, in samples.
  var latency: Int { (renderer?.latency ?? 0) + before.latency }

  /// Samples of filter tail that are kept.
  var tail: Int { (renderer?.tail ?? 0) + before.tail }

  /// Whether the rate of what is rendered is converted.
  var convertsRate: Bool { format.sampleRate != programme.sampleRate }

  /// How far its filters look; nowhere for a programme that is kept.
  var reach: Reach {
    guard kept == nil else { return Reach() }
    let response = renderer?.response ?? Reach()
    let (ahead, behind) = taps.map(\.response).reduce((response.ahead, response.behind)) {
      ($0.0 + $1.ahead, $0.1 + $1.behind)
    }
    return Reach(
      ahead: ahead, behind: behind,
      isAny: ahead + behind > 0 || !taps.isEmpty || convertsRate)
  }

  /// Takes sound that lies before the source: filters hear it, and nothing of it is stored.
  func lead(in block: ProgrammeBlock) throws {
    skipped = Int64(block.frames)
    try process(block)
  }

  /// Takes sound that lies after the source, which has `frames` samples: filters hear it, and nothing of it is stored.
  func trail(_ block: ProgrammeBlock, after frames: Int64) throws {
    limit = plan.lead + frames
    try process(block)
  }

  /// Takes a block of the source.
  func process(_ block: ProgrammeBlock) throws {
    if let kept {
      kept.add(block)
      try spool.append(block.audio)
    }
    guard !items.isEmpty else { return try render(block) }
    try items.process(block.audio) { try render(ProgrammeBlock(programme, audio: $0)) }
  }

  /// Drains the taps, the renderer and the steps after it.
  func finish() throws {
    try items.finish { try render(ProgrammeBlock(programme, audio: $0)) }
    if let renderer {
      rendered.removeAll()
      try renderer.finish(into: rendered)
      try steps.process(rendered, store)
    }
    try steps.finish(store)
  }

  private func render(_ block: ProgrammeBlock) throws {
    guard let renderer else { return try steps.process(block.audio, store) }
    for plane in lfePlanes {
      let audio = block.audio
      lfePeak = max(lfePeak, audio.greatestMagnitude(channel: plane, from: 0, count: audio.frames))
    }
    rendered.removeAll()
    try renderer.process(block, into: rendered)
    try steps.process(rendered, store)
  }

  /// Samples of the output before the first one of the source.
  var samplesBefore: Int64 { head + plan.lead }

  /// Lets the rendered sound have the gain of `curve`, and measures it anew.
  /// - Returns: loudness of everything that was rendered, without it.
  /// - Throws: ``MediaError`` when the spool can't be read.
  func level(by curve: LevelGain) throws -> LoudnessStatistics {
    let before = meter.statistics()
    meter = try LoudnessMeter(
      format: format, dualMono: plan.isDualMono, keepsFigures: plan.level?.peakPolicy == .limit)
    spool.level(by: curve)
    try spool.replay { try meter.add($0) }
    return before
  }

  /// Loudness of everything that was rendered. Call once.
  func statistics() -> LoudnessStatistics { meter.statistics() }

  /// Figures of its steps, where a limiter may need them.
  var figures: StepFigures { meter.figures }

  /// Levels of ``LongTermSpectrum/frequencies`` in what went to the spool so far, dB.
  var spectrumLevels: [Double?] { spectrum.levels }

  /// Peak of the LFE channels by themselves at the level at which others play them, dBFS; `nil` where none are played.
  var lfePeakLevel: Double? {
    guard lfePeak > 0, let gain = plan.renderer.lfeGainDB else { return nil }
    return Decibels.level(Double(lfePeak)) + gain
  }

  /// Largest magnitude of the filter tail that was cut off; 0 when none was.
  var cutPeak: Float { max(renderer?.cutPeak ?? 0, taps.map(\.cutPeak).max() ?? 0) }

  /// Largest magnitude of what filters put before the first sample and was cut off; 0 when nothing was.
  var headPeak: Float { max(renderer?.headPeak ?? 0, taps.map(\.headPeak).max() ?? 0) }

  /// Sends `silence` samples through the steps after the renderer.
  private func makeRoom(_ silence: Int) throws {
    guard silence > 0 else { return }
    let buffer = AudioBuffer(channels: rendered.channels)
    buffer.appendSilence(silence)
    try steps.process(buffer, store)
  }

  private func storeLead() throws {
    var left = plan.lead
    while left > 0 {
      let silence = AudioBuffer(channels: format.channels)
      silence.appendSilence(Int(min(left, 8192)))
      try store(silence)
      left -= Int64(silence.frames)
    }
  }

  private func store(_ buffer: AudioBuffer) throws {
    let from = min(skipped, Int64(buffer.frames))
    skipped -= from
    let count = min(Int64(buffer.frames) - from, limit == .max ? .max : limit - spool.frames)
    guard count > 0 else { return }
    guard count < Int64(buffer.frames) else { return try keep(buffer) }
    let part = AudioBuffer(channels: buffer.channels)
    part.append(buffer, range: Int(from)..<Int(from + count))
    try keep(part)
  }

  private func keep(_ buffer: AudioBuffer) throws {
    try meter.add(buffer)
    spectrum.add(buffer)
    if kept == nil { try spool.append(buffer) }
  }
}

/// The room that an output has before the first sample of its source, for what filters put there.
struct HeadRoom {
  /// Samples of silence that go in front of everything, at the rate before conversion. They make room for the filter
  /// of the rate conversion, and put the source's first sample on a sample of the output.
  let silence: Int
  /// Samples of the output before the source's first one.
  let samples: Int64

  /// The room for `early` samples at `rate` Hz that filters before the conversion to `format` put in front.
  init(_ early: Int, from rate: Int, to format: AudioFormat) {
    let (own, target) = (Int64(rate), Int64(format.sampleRate))
    guard own != target else {
      (silence, samples) = (0, Int64(early))
      return
    }
    // As many samples at the one rate last as long as a whole number at the other.
    let step = MediaTime.leastCommonMultiple(own, target) / target
    let needed = Int64(early + Resampler.reach(from: rate, to: format.sampleRate))
    let all = (needed + step - 1) / step * step
    silence = Int(all) - early
    samples = MediaTime.rescale(all, by: target, over: own)
  }
}

extension [Compensated<AudioBuffer>] {
  /// Samples that all of them together put before the first one and that are kept.
  var heads: Int { reduce(0) { $0 + $1.head } }
}

/// The course of a programme's objects over time, for an output that stores them as they are.
final class KeptProgramme {
  let programme: Programme
  /// Updates of each plane, on a clock whose sample 0 is the first one that was added.
  private(set) var updates: [[ObjectUpdate]]
  /// Largest magnitude of all samples.
  private(set) var peak: Float = 0
  private var frames: Int64 = 0
  /// Motion of each plane's object at its last update.
  private var courses: [Course?]

  /// An object at its last update.
  private struct Course {
    /// When that was.
    let at: Int64
    /// Motion that it would have had there without the update; `nil` for the first one.
    let before: ObjectMotion?
    /// Motion since then.
    let motion: ObjectMotion
  }

  init(_ programme: Programme) {
    self.programme = programme
    updates = Array(repeating: [], count: programme.planes)
    courses = Array(repeating: nil, count: programme.planes)
  }

  /// Largest magnitude of all samples, dBFS.
  var peakLevel: Double { Decibels.level(Double(peak)) }

  /// Takes the next samples with their updates.
  func add(_ block: ProgrammeBlock) {
    if frames == 0 {
      // A range may begin while objects move.
      for plane in block.objectPlanes {
        guard let motion = block.motions[plane] else { continue }
        add(ObjectUpdate(plane: plane, at: 0, motion: motion))
      }
    }
    for var update in block.updates {
      update.at += frames - block.start
      add(update)
    }
    for channel in 0..<block.audio.channels {
      for sample in block.audio.channel(channel) { peak = max(peak, sample.magnitude) }
    }
    frames += Int64(block.frames)
  }
  /// Adds an update. Several at one sample become one, and what an object does already isn't repeated: where
  /// blocks are cut or change threads, updates state again what holds, and what is stored must not depend on
  /// that.
  private func add(_ update: ObjectUpdate) {
    let (plane, last) = (update.plane, courses[update.plane])
    let reached = last.map { $0.motion.advanced(by: Int(update.at - $0.at)) }
    let motion = update.motion(after: reached ?? ObjectMotion(restingIn: update.state))
    let before = last?.at == update.at ? last?.before : reached
    if updates[plane].last?.at == update.at { updates[plane].removeLast() }
    if motion != before {
      updates[plane].append(ObjectUpdate(plane: plane, at: update.at, motion: motion))
    }
    courses[plane] = Course(at: update.at, before: before, motion: motion)
  }
}
