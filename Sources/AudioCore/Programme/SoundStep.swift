// SPDX-License-Identifier: Apache-2.0

/// A block that steps take: plain channels, or a programme with its objects.
public protocol StepInput {
  /// Facts of all blocks, fixed before the first one.
  associatedtype Format

  /// Planes of a block of `format`.
  static func planes(of format: Format) -> Int

  /// Samples of each plane.
  var frames: Int { get }
  /// Planes of samples.
  var planes: Int { get }
}

extension AudioBuffer: StepInput {
  /// Its channels.
  public static func planes(of format: AudioFormat) -> Int { format.channels }
  /// Its channels.
  public var planes: Int { channels }
}

extension ProgrammeBlock: StepInput {
  package static func planes(of format: Programme) -> Int { max(1, format.planes) }
  package var planes: Int { audio.channels }
}

/// A step that takes blocks and gives plain channels, in the order of its calls: ``prepare(_:)`` once, ``process(_:into:)`` for each block,
/// ``finish(into:)`` once.
///
/// A step never sees another step; the pipeline composes them and compensates ``latency``. The output bits must not depend on how the
/// input is cut into blocks (the block-size verifier of the tests checks this). ``Hosted`` checks state and shapes.
public protocol SoundStep<Input>: AnyObject {
  /// Blocks that it takes.
  associatedtype Input: StepInput

  /// Fixes the input format and answers the output format. Called once, before any sound.
  /// - Throws: ``MediaError`` when the format can't be processed; a renderer's is of kind `unsupportedFeature` for elements that it can't
  ///   render.
  func prepare(_ format: Input.Format) throws -> AudioFormat

  /// Samples (at the output rate) by which output lags input; exact, fixed after `prepare`.
  var latency: Int { get }

  /// Samples by which the response outlasts the input after latency compensation; fixed after
  /// `prepare`.
  var tail: Int { get }

  /// Consumes all of `input` and appends what is ready to `output`, which has the output format.
  /// - Throws: ``MediaError`` when the samples can't be processed.
  func process(_ input: Input, into output: AudioBuffer) throws

  /// Appends everything still held back, `latency` and tail included. Called once, at the end.
  /// - Throws: ``MediaError`` when the samples can't be processed.
  func finish(into output: AudioBuffer) throws
}

/// A step that turns blocks of audio into blocks of audio. Its ``SoundStep/tail`` is 0 unless it says otherwise.
public protocol AudioStage: SoundStep where Input == AudioBuffer {}

extension AudioStage {
  /// 0: the response of most stages ends with their input.
  public var tail: Int { 0 }
}

/// The step that turns a programme's beds, objects and sound fields into plain channels. Every stage
/// after it sees channels only.
package protocol Renderer: SoundStep where Input == ProgrammeBlock {}

/// Runs one ``SoundStep`` and checks the order of calls and the shape of every buffer.
public final class Hosted<Input: StepInput> {
  private enum State {
    case idle
    case running
    case finished
  }

  private let step: any SoundStep<Input>
  private let name: String
  private var state = State.idle
  private var inputPlanes = 0
  private var outputChannels = 0

  /// A host for `step`, which isn't prepared yet; `name` appears in error messages.
  public init(_ step: some SoundStep<Input>, name: String) {
    self.step = step
    self.name = name
  }

  /// Exact latency in output samples; valid after ``prepare(_:)``.
  public var latency: Int { step.latency }

  /// Samples by which the response outlasts the input; valid after ``prepare(_:)``.
  public var tail: Int { step.tail }

  /// Prepares the step.
  /// - Throws: ``MediaError`` of kind `internal` when called twice, or what the step throws.
  public func prepare(_ format: Input.Format) throws -> AudioFormat {
    guard case .idle = state else { throw misuse("prepared twice") }
    let output = try step.prepare(format)
    inputPlanes = Input.planes(of: format)
    outputChannels = max(1, output.channels)
    state = .running
    return output
  }

  /// Passes a block of the input format through the step and appends the result to `output`. An empty
  /// block never reaches the step.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape, or what the step throws.
  public func process(_ input: Input, into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("processed while not running") }
    try check(input.planes, inputPlanes, "input")
    try check(output.channels, outputChannels, "output")
    guard input.frames > 0 else { return }
    try step.process(input, into: output)
  }

  /// Drains the step into `output`, once; no block may follow.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape, or what the step throws.
  public func finish(into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("finished while not running") }
    try check(output.channels, outputChannels, "output")
    state = .finished
    try step.finish(into: output)
  }

  private func check(_ channels: Int, _ expected: Int, _ side: String) throws {
    guard channels == expected else {
      throw MediaError(
        .internal, "\(name): its \(side) has \(channels) channels, not \(expected)")
    }
  }

  private func misuse(_ what: String) -> MediaError {
    MediaError(.internal, "\(name) was \(what)")
  }
}
