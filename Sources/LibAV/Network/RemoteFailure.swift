/// Why a transfer over http or https failed.
package struct RemoteFailure: Error, Sendable, Equatable {
  /// Kinds of failure, as far as the decision about another attempt depends on them.
  package enum Cause: Sendable, Equatable {
    /// The server answers with this status (RFC 9110, 15).
    case status(Int)
    /// The server ignores the byte range of the request.
    case noRanges
    /// The answer breaks HTTP's rules, or isn't one that was asked for; the detail says how.
    case malformed
    /// Too little came for as long as was allowed.
    case stalled
    /// The input has taken longer than all of it may.
    case overdue
    /// The job was cancelled.
    case cancelled
    /// No connection, or it broke.
    case transport
  }

  /// The cause.
  package let cause: Cause
  /// Whether the server had answered the request before.
  package let hasAnswered: Bool
  /// What happened, in libav's words or Pinna's.
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
    // 408 Request Timeout and 429 Too Many Requests may pass, as errors of the server (5xx) may.
    case .status(let code): return code >= 500 || code == 408 || code == 429
    case .stalled, .transport: return true
    case .noRanges, .malformed, .overdue, .cancelled: return false
    }
  }
}
