import AudioCore
import Report

/// A render that failed.
package struct EngineFailure: Error, Sendable {
  /// Why it failed.
  package var error: MediaError
  /// How far it came.
  package var report: RenderReport?

  /// A failure.
  package init(_ error: MediaError, report: RenderReport? = nil) {
    self.error = error
    self.report = report
  }
}
