/// Why a transfer over http or https failed.
package struct RemoteFailure: Error, Sendable, Equatable {
  /// Kinds of failure, as far as they matter for trying again.
  package enum Cause: Sendable, Equatable {
    /// The server answers with this status (RFC 9110, 15); 0 for one of class 4xx that isn't known.
    case status(Int)
    /// The server ignores the byte range of the request.
    case noRanges
    /// No byte came for as long as was allowed.
    case stalled
    /// The job was cancelled.
    case cancelled
    /// No connection, or it broke.
    case transport
  }

  /// Why.
  package let cause: Cause
  /// Whether the server had answered the request before.
  package let hasAnswered: Bool
  /// libav's account of it.
  package let detail: String

  /// A failure from its cause.
  package init(cause: Cause, hasAnswered: Bool, detail: String) {
    self.cause = cause
    self.hasAnswered = hasAnswered
    self.detail = detail
  }

  /// Whether the same request may succeed later.
  package var isTransient: Bool {
    switch cause {
    case .status(let code): return code >= 500 || code == 408 || code == 429
    case .stalled, .transport: return true
    case .noRanges, .cancelled: return false
    }
  }
}
