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
