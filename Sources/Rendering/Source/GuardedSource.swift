import AudioCore
import LibAV

/// A source whose failure ends it instead of throwing.
package final class GuardedSource: AudioSource {
  private let source: AudioSource
  /// Why it ended early.
  package private(set) var failure: MediaError?

  package init(_ source: AudioSource) { self.source = source }

  package var format: AudioFormat { source.format }

  package func read(into buffer: AudioBuffer) throws -> Bool {
    let before = buffer.frames
    do { return try source.read(into: buffer) } catch {
      buffer.truncate(to: before)
      failure = MediaError(any: error, input: "TEST")
      return false
    }
  }
}
