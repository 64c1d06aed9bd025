import AudioCore
import LibAV
import Loudness

/// One output's way through pass 1: renderer, inserted stages, rate conversion, meter, spool.
final class Branch {
  let plan: RenderPlan.Branch
  let format: AudioFormat
  let spool: Spool
  /// What is stored instead of rendered channels, where the programme is kept.
  let kept: KeptProgramme?
  private let before: Upstream
  /// `nil` passes the channels of a bed through.
  private let renderer: CompensatedRenderer?
  /// The stages that plain channels pass after the renderer.
  private let stages: [CompensatedStage]
  /// The output of the renderer, then that of each stage.
  private let scratch: [AudioBuffer]
  private let meter: LoudnessMeter
  private let spectrum: LongTermSpectrum

  /// What was done to the sound before it comes to the branch.
  struct Upstream {
    /// Samples of latency that were removed.
    var latency = 0
    /// Samples of filter tail that were kept.
    var tail = 0
  }

  /// The processing that `plan` describes for the programme `input`, which comes from `before`; `inserted` are
  /// the caller's stages that it names, `memory` the bytes that the spool may hold.
  /// - Throws: ``MediaError`` when a step can't take what it gets.
  init(
    plan: RenderPlan.Branch, input: Programme, renderer: (any Renderer)?,
    before: Upstream = Upstream(),
    inserted: [any AudioStage], target: OutputTarget?, memory: Int
  ) throws {
    self.plan = plan
    self.before = before
    self.renderer = try renderer.map {
      try CompensatedRenderer($0, input: input, keepsTail: plan.keepsTail)
    }
    let rendered =
      try self.renderer?.format ?? input.bedFormat(for: "an output of the same channels")
    var format = rendered
    var stages: [CompensatedStage] = []
    for (own, name) in zip(inserted, plan.inserted) {
      let stage = try CompensatedStage(own, name: name, input: format) { _ in .input(tail: 0) }
      format = stage.format
      stages.append(stage)
    }
    if let rate = plan.rate, rate != format.sampleRate {
      let target = AudioFormat(sampleRate: rate, layout: format.layout)
      let stage = try CompensatedStage(
        Resampler(to: target), name: "resampler", input: format
      ) { _ in .produced }
      format = stage.format
      stages.append(stage)
    }
    self.format = format
    self.stages = stages
    meter = try LoudnessMeter(
      format: format, dualMono: plan.isDualMono, keepsFigures: plan.level?.peakPolicy == .limit)
    spectrum = try LongTermSpectrum(format: format)
    if case .kept = plan.renderer { kept = KeptProgramme(input) } else { kept = nil }
    spool = Spool(
      channels: kept?.programme.planes ?? format.channels, memoryLimit: memory,
      descriptor: target?.spoolDescriptor ?? -1, name: target?.name ?? "",
      packs: plan.container.leavesPackedSpool)
    scratch =
      [AudioBuffer(channels: rendered.channels)]
      + stages.map { AudioBuffer(channels: $0.format.channels) }
    try storeLead()
  }

  /// Number of tracks that are stored.
  var tracks: Int { spool.channels }

  /// What is stored, in words.
  var contents: String { kept?.programme.contents ?? format.layout.name }

  /// Latency of the renderer that was removed, in samples.
  var latency: Int { renderer?.latency ?? before.latency }

  /// Samples of filter tail that are kept.
  var tail: Int { renderer?.tail ?? before.tail }

  /// Takes a block of the source.
  func process(_ block: ProgrammeBlock) throws {
    if let kept {
      kept.add(block)
      try spool.append(block.audio)
    }
    guard let renderer else { return try pass(block.audio, from: 0) }
    scratch[0].removeAll()
    try renderer.process(block, into: scratch[0])
    try pass(scratch[0], from: 0)
  }

  /// Drains the renderer and the stages after it.
  func finish() throws {
    if let renderer {
      scratch[0].removeAll()
      try renderer.finish(into: scratch[0])
      try pass(scratch[0], from: 0)
    }
    for index in stages.indices {
      // What a stage drains goes through the later ones only. A finish may drop from what it
      // appended, so it gets an empty buffer.
      scratch[index + 1].removeAll()
      try stages[index].finish(into: scratch[index + 1])
      try pass(scratch[index + 1], from: index + 1)
    }
  }

  /// Sends plain channels through the stages from number `first` on, and stores the result in the
  /// spool.
  private func pass(_ rendered: AudioBuffer, from first: Int) throws {
    var current = rendered
    for index in stages.indices.dropFirst(first) {
      scratch[index + 1].removeAll()
      try stages[index].process(current, into: scratch[index + 1])
      current = scratch[index + 1]
    }
    try store(current)
  }

  /// Loudness of everything that was rendered. Call once.
  func statistics() -> LoudnessStatistics { meter.statistics() }

  /// Figures of its steps, where a limiter may need them.
  var figures: StepFigures { meter.figures }

  /// Levels of ``LongTermSpectrum/frequencies`` in what went to the spool so far, dB.
  var spectrumLevels: [Double?] { spectrum.levels }

  /// Largest magnitude of the filter tail that was cut off; 0 when none was.
  var cutPeak: Float { renderer?.cutPeak ?? 0 }

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
    guard buffer.frames > 0 else { return }
    try meter.add(buffer)
    spectrum.add(buffer)
    if kept == nil { try spool.append(buffer) }
  }
}
