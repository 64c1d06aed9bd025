import AudioCore
import LibAV
import Loudness

/// One output's way through pass 1: renderer, inserted stages, rate conversion, meter, spool.
final class Branch {
  let plan: RenderPlan.Branch
  let format: AudioFormat
  let spool: Spool
  /// Latency that the renderer has and that was removed, in samples.
  private(set) var latency = 0
  /// Samples of filter tail that are kept.
  private(set) var tail = 0
  private var stages: [CompensatedStage] = []
  private let meter: LoudnessMeter
  private let spectrum: LongTermSpectrum
  private let scratch: [AudioBuffer]

  /// The way that `plan` describes for sound of `input`; `inserted` are the caller's stages that it
  /// names, `memory` the bytes that the spool may hold.
  /// - Throws: ``MediaError`` when a stage can't take the format.
  init(
    plan: RenderPlan.Branch, input: AudioFormat, renderer: (any AudioStage)?,
    inserted: [any AudioStage], target: OutputTarget?, memory: Int
  ) throws {
    self.plan = plan
    var format = input
    if let renderer {
      var tail = 0
      let stage = try CompensatedStage(renderer, name: "renderer", input: format) { prepared in
        tail = plan.keepsTail ? prepared.tail : 0
        return .input(tail: tail)
      }
      self.tail = tail
      latency = stage.latency
      format = stage.format
      stages.append(stage)
    }
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
    meter = try LoudnessMeter(format: format, dualMono: plan.isDualMono)
    spectrum = try LongTermSpectrum(format: format)
    spool = Spool(
      channels: format.channels, memoryLimit: memory,
      descriptor: target?.spoolDescriptor ?? -1, name: target?.name ?? "")
    scratch = stages.map { AudioBuffer(channels: $0.format.channels) }
    try storeLead()
  }

  /// Takes a block of the source.
  func process(_ block: AudioBuffer) throws {
    var current = block
    for (stage, target) in zip(stages, scratch) {
      target.removeAll()
      try stage.process(current, into: target)
      current = target
    }
    try store(current)
  }

  /// Drains all stages.
  func finish() throws {
    for index in stages.indices {
      let rest = AudioBuffer(channels: stages[index].format.channels)
      try stages[index].finish(into: rest)
      var current = rest
      for later in stages.indices.dropFirst(index + 1) {
        let next = AudioBuffer(channels: stages[later].format.channels)
        try stages[later].process(current, into: next)
        current = next
      }
      try store(current)
    }
  }

  /// Loudness of everything that went to the spool. Call once.
  func statistics() -> LoudnessStatistics { meter.statistics() }

  /// Levels of ``LongTermSpectrum/frequencies`` in what went to the spool so far, dB.
  var spectrumLevels: [Double?] { spectrum.levels }

  /// Largest magnitude of the filter tail that was cut off; 0 when none was.
  var cutPeak: Float { stages.map(\.cutPeak).max() ?? 0 }

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
    try spool.append(buffer)
  }
}
