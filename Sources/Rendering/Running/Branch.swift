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
  /// `nil` passes the channels of a bed through.
  private let renderer: CompensatedRenderer?
  private let resampler: CompensatedStage?
  private let meter: LoudnessMeter
  private let spectrum: LongTermSpectrum
  private let scratch: (rendered: AudioBuffer, resampled: AudioBuffer)

  init(
    output: RenderJob.Output, target: OutputTarget?, choice: RendererFactory.Choice,
    input: Programme, job: RenderJob, lead: Int64 = 0
  ) throws {
    self.output = output
    self.lead = lead
    hrtfID = choice.hrtf?.id
    downmixMethod = choice.downmix?.method
    virtualization = choice.virtualization
    renderer = try choice.renderer.map {
      try CompensatedRenderer($0, input: input, keepsTail: job.tail == .keep)
    }
    latency = renderer?.latency ?? 0
    tail = renderer?.tail ?? 0
    let rendered = try renderer?.format ?? input.bedFormat(for: "an output of the same channels")
    if let rate = job.sampleRate, rate != rendered.sampleRate {
      let target = AudioFormat(sampleRate: rate, layout: rendered.layout)
      resampler = try CompensatedStage(
        Resampler(to: target), name: "resampler", input: rendered
      ) { _ in .produced }
    } else {
      resampler = nil
    }
    format = resampler?.format ?? rendered
    meter = try LoudnessMeter(format: format, dualMono: job.isDualMono)
    spectrum = try LongTermSpectrum(format: format)
    spool = Spool(
      channels: format.channels, memoryLimit: job.spoolMemory / job.outputs.count,
      descriptor: target?.spoolDescriptor ?? -1, name: target?.name ?? "")
    scratch = (
      AudioBuffer(channels: rendered.channels), AudioBuffer(channels: format.channels)
    )
    try storeLead()
  }

  /// Takes a block of the source.
  func process(_ block: ProgrammeBlock) throws {
    guard let renderer else { return try resample(block.audio) }
    scratch.rendered.removeAll()
    try renderer.process(block, into: scratch.rendered)
    try resample(scratch.rendered)
  }

  /// Drains renderer and rate conversion.
  func finish() throws {
    if let renderer {
      scratch.rendered.removeAll()
      try renderer.finish(into: scratch.rendered)
      try resample(scratch.rendered)
    }
    if let resampler {
      // The resampler's finish may drop from what it appended, so it gets an empty buffer.
      scratch.resampled.removeAll()
      try resampler.finish(into: scratch.resampled)
      try store(scratch.resampled)
    }
  }

  /// Converts what was rendered to the rate asked for and keeps it.
  private func resample(_ rendered: AudioBuffer) throws {
    guard let resampler else { return try store(rendered) }
    scratch.resampled.removeAll()
    try resampler.process(rendered, into: scratch.resampled)
    try store(scratch.resampled)
  }

  /// Loudness of everything that went to the spool. Call once.
  func statistics() -> LoudnessStatistics { meter.statistics() }

  /// Levels of ``LongTermSpectrum/frequencies`` in what went to the spool so far, dB.
  var spectrumLevels: [Double?] { spectrum.levels }

  /// Largest magnitude of the filter tail that was cut off; 0 when none was.
  var cutPeak: Float { renderer?.cutPeak ?? 0 }

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
