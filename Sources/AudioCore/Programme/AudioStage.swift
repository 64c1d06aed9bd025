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
