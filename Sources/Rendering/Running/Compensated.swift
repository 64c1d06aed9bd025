// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// A step without latency, whose output has an exact length.
final class Compensated<Input: StepInput> {
  /// How long the output is.
  enum Length {
    /// As long as the input, and where the tail is kept, longer by it.
    case input
    /// The input's length at the other tempo.
    case tempo(Tempo)
    /// Whatever the step produces (rate conversion).
    case produced
  }

  /// Runs one call of the step; `isLast` is true for the call that drains it.
  typealias Watch = (_ isLast: Bool, _ call: () throws -> Void) throws -> Void

  private let host: Hosted<Input>
  private let length: Length
  private let watch: Watch
  /// Last output of the step.
  private let produced: AudioBuffer
  /// Format of the output.
  let format: AudioFormat
  /// Samples before the first one of the input that are kept: filters may put sound there, so that the output begins earlier by as many.
  let head: Int
  /// Samples of the response that are kept after the input's end.
  let tail: Int
  /// Samples of latency that are still to be dropped.
  private var latencyLeft: Int
  private var consumed: Int64 = 0
  private var emitted: Int64 = 0
  /// Largest magnitude among samples cut off at the start.
  private(set) var headPeak: Float = 0
  /// Largest magnitude among samples cut off at the end.
  private(set) var cutPeak: Float = 0

  /// Prepares `step`, which messages call `name`, for sound of `input`; `watch` runs its later calls.
  /// - Throws: what the step throws.
  init(
    _ step: some SoundStep<Input>, name: String, input: Input.Format,
    keeps: FilterEnds = FilterEnds(), length: Length = .input,
    watch: @escaping Watch = { try $1() }
  ) throws {
    self.watch = watch
    host = Hosted(step, name: name)
    format = try host.prepare(input)
    produced = AudioBuffer(channels: format.channels)
    head = keeps.head ? step.latency : 0
    tail = keeps.tail ? step.tail : 0
    latencyLeft = step.latency - head
    self.length = length
  }

  /// How far the step looks.
  var response: Branch.Reach { Branch.Reach(ahead: host.latency, behind: host.tail) }

  /// Latency that was removed, in samples.
  var latency: Int { host.latency - head }

  /// Appends what is ready of `input` to `output`.
  /// - Throws: what the step throws.
  func process(_ input: Input, into output: AudioBuffer) throws {
    try watch(false) {
      consumed += Int64(input.frames)
      guard latencyLeft > 0 else {
        // Nothing is dropped any more, so that the step may write where it belongs.
        let before = output.frames
        try host.process(input, into: output)
        emitted += Int64(output.frames - before)
        return
      }
      produced.removeAll()
      try host.process(input, into: produced)
      emit(into: output, limit: .max)
    }
  }

  /// Drains the step into `output`, which is empty.
  /// - Throws: what the step throws; ``MediaError`` of kind `internal` when it gave more than its
  ///   input, its latency and its tail come to, since then nobody knows where a sample belongs.
  func finish(into output: AudioBuffer) throws {
    try watch(true) {
      produced.removeAll()
      try host.finish(into: produced)
      switch length {
      case .produced: emit(into: output, limit: .max)
      case .input: try end(at: consumed + Int64(head + tail), output)
      case .tempo(let tempo):
        try end(at: tempo.frames(consumed), output)
        // Everything after that end comes of the silence that was sent to bring all sound out.
        cutPeak = 0
      }
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

/// Steps one after the other.
final class StepChain {
  private let steps: [Compensated<AudioBuffer>]
  /// The output of each step.
  private let scratch: [AudioBuffer]

  /// A chain of `steps`, of which each takes what the one before gives.
  init(_ steps: [Compensated<AudioBuffer>]) {
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
