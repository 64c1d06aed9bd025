import AudioCore

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

/// Steps one behind the other.
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
      // What a step drains goes through the later ones only. A finish may drop from what it
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
