import AudioCore
import LibAV
import Loudness

/// One endpoint's way through pass 1: renderer, rate conversion, meter, spool.
final class Branch {
  let output: RenderJob.Output
  let format: AudioFormat
  let spool: Spool
  let virtualization: Virtualization?
  /// Name of the HRTF set its renderer uses.
  let hrtfID: String?
  /// Method of its downmix, as the report names it.
  let downmixMethod: String?
  /// Latency removed and tail kept, in samples.
  let latency: Int
  let tail: Int
  /// Samples of silence in front of what is rendered.
  let lead: Int64
  private var stages: [CompensatedStage] = []
  private let meter: LoudnessMeter
  private let spectrum: LongTermSpectrum
  private let scratch: [AudioBuffer]

  init(
    output: RenderJob.Output, target: OutputTarget?, choice: RendererFactory.Choice,
    input: AudioFormat, job: RenderJob, lead: Int64 = 0
  ) throws {
    self.output = output
    self.lead = lead
    hrtfID = choice.hrtf?.id
    downmixMethod = choice.downmix?.method
    virtualization = choice.virtualization
    var format = input
    var latency = 0
    var tail = 0
    if let renderer = choice.stage {
      let stage = try CompensatedStage(renderer, name: "renderer", input: format) { prepared in
        tail = job.tail == .keep ? prepared.tail : 0
        return .input(tail: tail)
      }
      latency = stage.latency
      format = stage.format
      stages.append(stage)
    }
    if let rate = job.sampleRate, rate != format.sampleRate {
      let target = AudioFormat(sampleRate: rate, layout: format.layout)
      let stage = try CompensatedStage(
        Resampler(to: target), name: "resampler", input: format
      ) { _ in .produced }
      format = stage.format
      stages.append(stage)
    }
    self.format = format
    self.latency = latency
    self.tail = tail
    meter = try LoudnessMeter(format: format, dualMono: job.isDualMono)
    spectrum = try LongTermSpectrum(format: format)
    spool = Spool(
      channels: format.channels, memoryLimit: job.spoolMemory / job.outputs.count,
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
    var left = lead
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
