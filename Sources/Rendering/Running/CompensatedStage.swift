import AudioCore

/// A stage whose latency has been removed and whose length is settled.
final class CompensatedStage {
  /// How long the output is.
  enum Length {
    /// As long as the input plus this many samples of tail.
    case input(tail: Int)
    /// Whatever the stage produces (rate conversion).
    case produced
  }

  private let host: StageHost
  private let length: Length
  private let scratch: AudioBuffer
  private var toDrop: Int
  private var consumed: Int64 = 0
  private var emitted: Int64 = 0
  /// Format of the output.
  let format: AudioFormat
  /// Largest magnitude among samples cut off at the end.
  private(set) var cutPeak: Float = 0

  init(_ stage: AudioStage, name: String, input: AudioFormat, length: (AudioStage) -> Length) throws
  {
    host = StageHost(stage, name: name)
    format = try host.prepare(input)
    toDrop = stage.latency
    self.length = length(stage)
    scratch = AudioBuffer(channels: format.channels)
  }

  var latency: Int { host.latency }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    consumed += Int64(input.frames)
    scratch.removeAll()
    try host.process(input, into: scratch)
    emit(into: output, limit: .max)
  }

  func finish(into output: AudioBuffer) throws {
    scratch.removeAll()
    try host.finish(into: scratch)
    switch length {
    case .produced: emit(into: output, limit: .max)
    case .input(let tail):
      emit(into: output, limit: consumed + Int64(tail))
      let missing = consumed + Int64(tail) - emitted
      guard missing >= 0 else { return }
      output.appendSilence(Int(missing))
    }
  }

  private func emit(into output: AudioBuffer, limit: Int64) {
    let from = min(toDrop, scratch.frames)
    toDrop -= from
    let count = Int(min(Int64(scratch.frames - from), limit - emitted))
    output.append(scratch, range: from..<(from + count))
    emitted += Int64(count)
    for channel in 0..<scratch.channels {
      let plane = scratch.channel(channel)
      for index in (from + count)..<scratch.frames {
        cutPeak = max(cutPeak, plane[index].magnitude)
      }
    }
  }
}
