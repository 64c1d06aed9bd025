import AudioCore
import Report

/// A failed job: the error and the report that tells how far it came.
public struct RenderFailure: Error, Sendable, CustomStringConvertible {
  /// Why.
  public let error: MediaError
  /// The report, with status `error`.
  public let report: RenderReport

  /// The error's sentence.
  public var description: String { error.message }
}
