import AudioCore
import Report

/// A failed job: the error and the report of what was done before it.
public struct RenderFailure: Error, Sendable, CustomStringConvertible {
  /// Why the job failed.
  public let error: MediaError
  /// The report, with status `error`.
  public let report: RenderReport

  /// The error's sentence.
  public var description: String { error.message }
}
