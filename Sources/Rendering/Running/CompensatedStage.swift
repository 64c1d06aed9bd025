import AudioCore
import Signal

/// Removes the latency from a step's output, and makes the output as long as it must be.
final class LatencyCompensation {
  /// How long the output is.
  enum Length {
    /// As long as the input plus this many samples of tail.
    case input(tail: Int)
    /// The input's length at the other tempo.
    case tempo(Tempo)
    /// Whatever the step produces (rate conversion).
    case produced
  }

  /// Last output of the step.
  let produced: AudioBuffer
  private let length: Length
  /// Samples before the first one of the input that are kept.
  let head: Int
  /// Samples of latency that are still to be dropped.
  private var latencyLeft: Int
  private var consumed: Int64 = 0
  private var emitted: Int64 = 0
  /// Largest magnitude among samples cut off at the start.
  private(set) var headPeak: Float = 0
  /// Largest magnitude among samples cut off at the end.
  private(set) var cutPeak: Float = 0

  /// For a step with output of `format` and this exact `latency` in samples. With `keepsHead` the samples that the
  /// latency consists of are kept, since filters may put sound there: the output begins earlier by as many.
  init(format: AudioFormat, latency: Int, length: Length, keepsHead: Bool = false) {
    produced = AudioBuffer(channels: format.channels)
    head = keepsHead ? latency : 0
    latencyLeft = latency - head
    self.length = length
  }

  /// Runs the step on `count` samples of input; `run` appends to the buffer it gets.
  func process(
    _ count: Int, into output: AudioBuffer, _ run: (AudioBuffer) throws -> Void
  ) rethrows {
    consumed += Int64(count)
    produced.removeAll()
    try run(produced)
    emit(into: output, limit: .max)
  }

  /// Drains the step.
  /// - Throws: what `run` throws; ``MediaError`` of kind `internal` when the step gave more than its
  ///   input, its latency and its tail come to, since then nobody knows where a sample belongs.
  func finish(into output: AudioBuffer, _ run: (AudioBuffer) throws -> Void) throws {
    produced.removeAll()
    try run(produced)
    switch length {
    case .produced: emit(into: output, limit: .max)
    case .input(let tail): try end(at: consumed + Int64(head + tail), output)
    case .tempo(let tempo): try end(at: tempo.frames(consumed), output)
    }
  }

  /// Makes the output `count` samples long.
  private func end(at count: Int64, _ output: AudioBuffer) throws {
    guard emitted <= count else {
      throw MediaError(
        .internal,
        "a stage gave \(emitted) samples for \(consumed) of input, which come to \(count); correct its latency or "
          + "tail")
    }
    emit(into: output, limit: count)
    output.appendSilence(Int(max(0, count - emitted)))
  }

  private func emit(into output: AudioBuffer, limit: Int64) {
    let from = min(latencyLeft, produced.frames)
    latencyLeft -= from
    let count = Int(min(Int64(produced.frames - from), limit - emitted))
    output.append(produced, range: from..<(from + count))
    emitted += Int64(count)
    for channel in 0..<produced.channels {
      let plane = produced.channel(channel)
      for index in 0..<from { headPeak = max(headPeak, plane[index].magnitude) }
      for index in (from + count)..<produced.frames {
        cutPeak = max(cutPeak, plane[index].magnitude)
      }
    }
  }
}

/// A stage without latency, whose output has an exact length.
final class CompensatedStage {
  private let host: StageHost
  private let compensation: LatencyCompensation
  /// Format of the output.
  let format: AudioFormat
  /// Samples before the first one of the input that are kept.
  var head: Int { compensation.head }
  /// Largest magnitude among samples cut off at the start.
  var headPeak: Float { compensation.headPeak }
  /// Largest magnitude among samples cut off at the end.
  var cutPeak: Float { compensation.cutPeak }

  init(
    _ stage: any AudioStage, name: String, input: AudioFormat, keepsHead: Bool = false,
    length: (any AudioStage) -> LatencyCompensation.Length
  ) throws {
    host = StageHost(stage, name: name)
    format = try host.prepare(input)
    compensation = LatencyCompensation(
      format: format, latency: stage.latency, length: length(stage), keepsHead: keepsHead)
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try compensation.process(input.frames, into: output) { try host.process(input, into: $0) }
  }

  func finish(into output: AudioBuffer) throws {
    try compensation.finish(into: output) { try host.finish(into: $0) }
  }
}

/// A renderer without latency, whose output has an exact length.
final class CompensatedRenderer {
  private let host: RendererHost
  private let compensation: LatencyCompensation
  /// Format of the output.
  let format: AudioFormat
  /// Samples of the response that are kept after the input's end.
  let tail: Int

  init(_ renderer: any Renderer, input: Programme, keeps: FilterEnds = FilterEnds()) throws {
    host = RendererHost(renderer)
    format = try host.prepare(input)
    tail = keeps.tail ? renderer.tail : 0
    compensation = LatencyCompensation(
      format: format, latency: renderer.latency, length: .input(tail: tail),
      keepsHead: keeps.head)
  }

  /// How far the renderer looks.
  var response: Branch.Reach { Branch.Reach(ahead: host.latency, behind: host.tail) }

  /// Latency that was removed, in samples.
  var latency: Int { host.latency - head }
  /// Samples before the first one of the input that are kept.
  var head: Int { compensation.head }
  /// Largest magnitude among samples cut off at the start.
  var headPeak: Float { compensation.headPeak }
  /// Largest magnitude among samples cut off at the end.
  var cutPeak: Float { compensation.cutPeak }

  func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    try compensation.process(block.frames, into: output) { try host.process(block, into: $0) }
  }

  func finish(into output: AudioBuffer) throws {
    try compensation.finish(into: output) { try host.finish(into: $0) }
  }
}

/// A step of a chain: it has no latency, and its output has an exact length.
protocol ChainStep: AnyObject {
  /// Format of the output.
  var format: AudioFormat { get }
  /// Appends what is ready of `input` to `output`.
  func process(_ input: AudioBuffer, into output: AudioBuffer) throws
  /// Appends what is left to `output`, which is empty.
  func finish(into output: AudioBuffer) throws
}

extension CompensatedStage: ChainStep {}

/// Steps one after the other.
final class StepChain {
  private let steps: [any ChainStep]
  /// The output of each step.
  private let scratch: [AudioBuffer]

  /// A chain of `steps`, of which each takes what the one before gives.
  init(_ steps: [any ChainStep]) {
    self.steps = steps
    scratch = steps.map { AudioBuffer(channels: $0.format.channels) }
  }

  /// Whether it leaves everything as it is.
  var isEmpty: Bool { steps.isEmpty }

  /// Sends `input` through, and hands on what is ready; it is valid during the call.
  func process(_ input: AudioBuffer, _ consume: (AudioBuffer) throws -> Void) throws {
    try pass(input, from: 0, consume)
  }

  /// Drains all steps.
  func finish(_ consume: (AudioBuffer) throws -> Void) throws {
    for index in steps.indices {
      // Samples that a step drains go through the later ones only. A finish may drop from what it
      // appended, so it gets an empty buffer.
      scratch[index].removeAll()
      try steps[index].finish(into: scratch[index])
      try pass(scratch[index], from: index + 1, consume)
    }
  }

  /// Sends `input` through the steps from number `first` on.
  private func pass(
    _ input: AudioBuffer, from first: Int, _ consume: (AudioBuffer) throws -> Void
  ) throws {
    var current = input
    for index in steps.indices.dropFirst(first) {
      scratch[index].removeAll()
      try steps[index].process(current, into: scratch[index])
      current = scratch[index]
    }
    try consume(current)
  }
}

/// The kept parts of the response of filters that begins before the sound or outlasts it.
struct FilterEnds {
  /// Whether samples before the first one are kept.
  var head = false
  /// Whether samples after the last one are kept.
  var tail = false
}

extension RenderPlan.Branch {
  /// Kept parts of its filters' response.
  var keeps: FilterEnds { FilterEnds(head: keepsHead, tail: keepsTail) }
}

extension DiagnosticLog {
  /// Below half a step of 24 bits nothing of it would be stored; filters by FFT leave such traces of later sound.
  private static let leastHead: Float = 1 / Float(1 << 24)

  /// Remarks that filters put sound before the first sample of the `source`, which was cut off and peaks at the linear
  /// `peak`.
  func noteHead(_ peak: Float, of source: String) {
    guard peak > DiagnosticLog.leastHead else { return }
    decide(
      .filterHead, "trimmed",
      why: "the output begins with the \(source); what filters put before that peaks at "
        + "\(Decibels.text(Decibels.level(Double(peak)))) dBFS before the gain, \(setting: .filterHead) "
        + "keep keeps it")
  }

  /// Remarks that filters put sound after the last sample of the `source`, which was cut off and peaks at the linear
  /// `peak`.
  func noteTail(_ peak: Float, of source: String) {
    guard peak > 0 else { return }
    decide(
      .tail, "trimmed",
      why: "the output is as long as the \(source); what was cut peaks at "
        + "\(Decibels.text(Decibels.level(Double(peak)))) dBFS before the gain, \(setting: .tail) "
        + "keep keeps it")
  }
}
