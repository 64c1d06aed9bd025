// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Why a transfer over http or https failed.
struct RemoteFailure: Error, Sendable, Equatable {
  /// Kinds of failure, as far as the decision about another attempt depends on them.
  enum Cause: Sendable, Equatable {
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

  let cause: Cause
  /// Whether the server had answered the request before.
  let hasAnswered: Bool
  /// Description of the failure, in libcurl's words or Pinna's.
  let detail: String

  /// A failure from its cause.
  init(cause: Cause, hasAnswered: Bool, detail: String) {
    self.cause = cause
    self.hasAnswered = hasAnswered
    self.detail = detail
  }

  /// Whether the same request may succeed later.
  var isTransient: Bool {
    switch cause {
    // 408 Request Timeout and 429 Too Many Requests may pass, as errors of the server (5xx) may.
    case .status(let code): return code >= 500 || code == 408 || code == 429
    case .stalled, .transport: return true
    case .noRanges, .malformed, .overdue, .cancelled: return false
    }
  }
}

extension RemoteFailure {
  /// An answer that breaks a rule, which `detail` names.
  static func malformed(_ detail: String) -> RemoteFailure {
    RemoteFailure(cause: .malformed, hasAnswered: true, detail: detail)
  }

  /// A transfer that ended early although the server closed it in order.
  static func short(_ received: Int64, of wanted: Int64) -> RemoteFailure {
    RemoteFailure(
      cause: .transport, hasAnswered: true,
      detail: "only \(received) of \(wanted) bytes arrived")
  }

  /// The failure as an error. A failure that may pass has kind `unavailable`; one that will come again is
  /// a missing or unreadable input.
  func error(_ address: WebAddress, _ range: Range<Int64>?) -> MediaError {
    let name = address.publicText
    let host = address.hostAndPort
    switch cause {
    case .status(404), .status(410):
      return MediaError(
        .inputMissing, about: name,
        "the server doesn't have it (\(RemoteFailure.status(cause))); "
          + "check the URL")
    case .status where isTransient:
      return MediaError(
        .unavailable, about: name,
        "the server still answers \(RemoteFailure.status(cause)) after several tries; "
          + "try again later")
    case .status(200..<300):
      return MediaError(
        .inputUnreadable, about: name,
        "the server sends no content (\(RemoteFailure.status(cause))); check the URL")
    case .status:
      return MediaError(
        .inputUnreadable, about: name,
        "the server refuses it (\(RemoteFailure.status(cause))); check URL and access")
    case .noRanges:
      return MediaError(
        .inputUnreadable, about: name,
        "the server can't send parts of a file, which this needs; download it and give "
          + "its path")
    case .malformed:
      return MediaError(
        .inputUnreadable, about: name,
        "\(host) doesn't answer as it should: \(detail); check the URL or ask whoever runs it")
    case .stalled:
      return MediaError(
        .unavailable, about: name,
        "\(host) sent nothing or too little for too long; try again later, or raise "
          + "\(setting: .networkTimeout)")
    case .overdue:
      return MediaError(
        .unavailable, about: name,
        "fetching this input takes longer than a day; download it and give its path")
    case .cancelled:
      return MediaError(.interrupted, about: name, "stopped before it was done")
    case .transport where hasAnswered:
      return MediaError(
        .unavailable, about: name,
        "the transfer broke off after several tries (\(detail)); try again later")
    case .transport:
      return MediaError(
        .inputUnreadable, about: name, "\(host) can't be reached (\(detail)); check URL and network"
      )
    }
  }

  private static func status(_ cause: Cause) -> String {
    if case .status(let code) = cause { return "HTTP \(code)" }
    return "HTTP"
  }
}
