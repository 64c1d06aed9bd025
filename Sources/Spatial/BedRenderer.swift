import AudioCore

/// Renders programmes of one bed with a stage that knows channels only.
///
/// It adds nothing: the stage gets the bed's planes as they come, without a copy.
package final class BedRenderer: Renderer {
  private let stage: any AudioStage
  private let name: String

  /// A renderer that passes the bed to `stage`.
  /// - Parameter name: what the stage does, as the subject of a refusal.
  package init(_ stage: any AudioStage, name: String) {
    self.stage = stage
    self.name = name
  }

  /// Prepares the stage for the bed and returns the stage's output format.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a programme that isn't one bed, or what
  ///   the stage throws.
  package func prepare(_ programme: Programme) throws -> AudioFormat {
    try stage.prepare(try programme.bedFormat(for: name))
  }

  /// Latency of the stage.
  package var latency: Int { stage.latency }

  /// Tail of the stage.
  package var tail: Int { stage.tail }

  /// Passes the planes to the stage.
  package func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    try stage.process(block.audio, into: output)
  }

  /// Drains the stage.
  package func finish(into output: AudioBuffer) throws { try stage.finish(into: output) }
}
