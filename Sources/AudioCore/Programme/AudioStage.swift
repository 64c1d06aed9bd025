/// A step that turns blocks of audio into blocks of audio.
///
/// A stage never sees another stage; the pipeline composes them and compensates ``latency``. The
/// output bits must not depend on how the input is cut into blocks (the block-size verifier of the
/// tests checks this). Wrap a stage in ``StageHost`` to have state and shapes checked.
public protocol AudioStage: AnyObject {
  /// Fixes the input format and answers the output format. Called once, before any audio.
  /// - Throws: ``MediaError`` when the format can't be processed.
  func prepare(_ format: AudioFormat) throws -> AudioFormat

  /// Samples (at the output rate) by which output lags input; exact, fixed after `prepare`.
  var latency: Int { get }

  /// Samples by which the response outlasts the input after latency compensation; fixed after
  /// `prepare`. The default is 0.
  var tail: Int { get }

  /// Consumes all of `input` and appends what is ready to `output`, which has the output format.
  /// - Throws: ``MediaError`` when the samples can't be processed.
  func process(_ input: AudioBuffer, into output: AudioBuffer) throws

  /// Appends everything still held back, `latency` and tail included. Called once, at the end.
  /// - Throws: ``MediaError`` when the samples can't be processed.
  func finish(into output: AudioBuffer) throws
}

extension AudioStage {
  /// 0: the response of most stages ends with their input.
  public var tail: Int { 0 }
}

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

/// The step that turns a programme's beds, objects and sound fields into plain channels. Every stage
/// after it sees channels only.
///
/// The output bits must not depend on how the programme is cut into blocks. Wrap a renderer in
/// ``RendererHost`` to have state and shapes checked.
package protocol Renderer: AnyObject {
  /// Fixes the programme and answers the output format. Called once, before any sound.
  /// - Throws: ``MediaError``; of kind `unsupportedFeature` for elements that it can't render.
  func prepare(_ programme: Programme) throws -> AudioFormat

  /// Samples (at the output rate) by which output lags input; exact, fixed after `prepare`.
  var latency: Int { get }

  /// Samples by which the response outlasts the input after latency compensation; fixed after
  /// `prepare`.
  var tail: Int { get }

  /// Consumes all of `block` and appends what is ready to `output`, which has the output format.
  func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws

  /// Appends everything still held back, `latency` and tail included. Called once, at the end.
  func finish(into output: AudioBuffer) throws
}

/// Runs one ``Renderer`` and checks the order of calls and the shape of every buffer.
package final class RendererHost {
  private enum State {
    case idle
    case running
    case finished
  }

  private let renderer: any Renderer
  private var state = State.idle
  private var planes = 0
  private var channels = 0

  /// A host for `renderer`.
  package init(_ renderer: any Renderer) { self.renderer = renderer }

  /// Exact latency in output samples; valid after ``prepare(_:)``.
  package var latency: Int { renderer.latency }

  /// Samples by which the response outlasts the input; valid after ``prepare(_:)``.
  package var tail: Int { renderer.tail }

  /// Prepares the renderer.
  /// - Throws: ``MediaError`` of kind `internal` when called twice, or what the renderer throws.
  package func prepare(_ programme: Programme) throws -> AudioFormat {
    guard case .idle = state else { throw misuse("was prepared twice") }
    let output = try renderer.prepare(programme)
    planes = max(1, programme.planes)
    channels = max(1, output.channels)
    state = .running
    return output
  }

  /// Renders a block.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape.
  package func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("was used while not running") }
    guard block.audio.channels == planes else {
      throw misuse("got \(block.audio.channels) planes, not \(planes)")
    }
    try check(output)
    guard block.frames > 0 else { return }
    try renderer.process(block, into: output)
  }

  /// Drains the renderer.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape.
  package func finish(into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("was finished while not running") }
    try check(output)
    state = .finished
    try renderer.finish(into: output)
  }

  private func check(_ output: AudioBuffer) throws {
    guard output.channels == channels else {
      throw misuse("was to fill \(output.channels) channels, not \(channels)")
    }
  }

  private func misuse(_ what: String) -> MediaError {
    MediaError(.internal, "the renderer \(what)")
  }
}
