import AudioCore
import Report

/// A render that failed.
public struct EngineFailure: Error, Sendable {
  /// Why.
  public var error: MediaError
  /// How far it came.
  public var report: RenderReport?

  /// A failure.
  public init(_ error: MediaError, report: RenderReport? = nil) {
    self.error = error
    self.report = report
  }
}
