/// Runs one ``AudioStage`` and checks the order of calls and the shape of every buffer.
public final class StageHost {
  private enum State {
    case idle
    case running
    case finished
  }

  private let stage: AudioStage
  private let name: String
  private var state = State.idle
  private var inputChannels = 0
  private var outputChannels = 0

  /// A host for `stage`, which isn't prepared yet; `name` appears in error messages.
  public init(_ stage: AudioStage, name: String) {
    self.stage = stage
    self.name = name
  }

  /// Exact latency in output samples; valid after ``prepare(_:)``.
  public var latency: Int { stage.latency }

  /// Prepares the stage.
  /// - Throws: ``MediaError`` of kind `internal` when called twice, or what the stage throws.
  public func prepare(_ format: AudioFormat) throws -> AudioFormat {
    guard case .idle = state else { throw misuse("prepared twice") }
    let output = try stage.prepare(format)
    inputChannels = format.channels
    outputChannels = output.channels
    state = .running
    return output
  }

  /// Passes a block of the input format through the stage and appends the result to `output`. An empty
  /// block never reaches the stage.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape, or what the stage throws.
  public func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("processed while not running") }
    try check(input, inputChannels, "input")
    try check(output, outputChannels, "output")
    guard input.frames > 0 else { return }
    try stage.process(input, into: output)
  }

  /// Drains the stage into `output`, once; no block may follow.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape, or what the stage throws.
  public func finish(into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("finished while not running") }
    try check(output, outputChannels, "output")
    state = .finished
    try stage.finish(into: output)
  }

  private func check(_ buffer: AudioBuffer, _ channels: Int, _ side: String) throws {
    guard buffer.channels == channels else {
      throw misuse("\(side) has \(buffer.channels) channels, not \(channels)")
    }
  }

  private func misuse(_ what: String) -> MediaError {
    MediaError(.internal, "stage \(name) was \(what)")
  }
}
