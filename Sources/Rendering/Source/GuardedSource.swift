import AudioCore

/// A source whose failure ends it instead of throwing.
package final class GuardedSource: ProgrammeSource {
  private let source: any ProgrammeSource
  /// Why it ended early.
  package private(set) var failure: MediaError?

  package init(_ source: any ProgrammeSource) { self.source = source }

  package var programme: Programme { source.programme }

  package func read(into block: ProgrammeBlock) throws -> Bool {
    let before = block.frames
    do { return try source.read(into: block) } catch {
      block.truncate(to: before)
      failure = MediaError(any: error, input: "TEST")
      return false
    }
  }
}
