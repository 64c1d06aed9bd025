/// A failure with a stable kind and one sentence that says what, where and what to do.
public struct MediaError: Error, Sendable, CustomStringConvertible {
  /// The stable token of a failure; decides the exit code.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// A bug or an impossible state.
    case `internal`
    /// Wrong options or configuration.
    case usage
    /// The input doesn't exist.
    case inputMissing = "input-missing"
    /// The input exists but can't be read or isn't a known media file.
    case inputUnreadable = "input-unreadable"
    /// The input is encrypted.
    case encrypted
    /// The input has no audio track, or no decodable audio in it.
    case noAudio = "no-audio"
    /// The bitstream is damaged.
    case damaged
    /// The codec isn't supported.
    case unsupportedCodec = "unsupported-codec"
    /// The feature isn't supported.
    case unsupportedFeature = "unsupported-feature"
    /// The channel layout can't be known.
    case layoutUnknown = "layout-unknown"
    /// The output exists and may not be replaced.
    case outputExists = "output-exists"
    /// The output can't be written.
    case outputUnwritable = "output-unwritable"
    /// The output would be larger than allowed.
    case outputLimit = "output-limit"
    /// What was written isn't what was meant.
    case verificationFailed = "verification-failed"
    /// The loudness or peak target can't be met under the chosen policy.
    case targetNotMet = "target-not-met"
    /// The result is degraded and `--strict` was given.
    case degraded
    /// No space left, or a file size limit.
    case diskFull = "disk-full"
    /// Out of file handles or memory.
    case outOfResources = "out-of-resources"
    /// A server answers that it can't now, or stops in the middle of a transfer.
    case unavailable
    /// Another run is at work in the same place.
    case busy
    /// Stopped by a signal or a cancelled task.
    case interrupted
  }

  /// Stable token.
  public let kind: Kind
  /// One sentence: what, where, what to do.
  public let message: String
  /// The file, address or name that the failure is about; the sentence begins with it. `nil` when there
  /// is none.
  public let subject: String?
  /// The error, of another library for example, that is the reason; `nil` when there is none.
  public let cause: (any Error)?

  /// A failure of `kind` with its sentence.
  public init(_ kind: Kind, _ message: String, cause: (any Error)? = nil) {
    self.kind = kind
    self.message = message
    self.cause = cause
    subject = nil
  }

  /// A failure of `kind` that is about `subject`: a colon and `sentence` follow it. Of a URL, what may give access is
  /// hidden.
  public init(_ kind: Kind, about subject: String, _ sentence: String, cause: (any Error)? = nil) {
    let shown = WebSecrets.shown(subject)
    self.kind = kind
    self.subject = shown
    self.cause = cause
    message = "\(shown): \(sentence)"
  }

  /// The same failure with another cause.
  package func caused(by cause: any Error) -> MediaError { MediaError(self, cause: cause) }

  private init(_ error: MediaError, cause: any Error) {
    kind = error.kind
    message = error.message
    subject = error.subject
    self.cause = cause
  }

  /// The exit code of a process that fails with this error: 1…9, 75 or 130 (docs/reference/exit-codes.md).
  public var exitCode: Int32 {
    switch kind {
    case .internal: return 1
    case .usage: return 2
    case .inputMissing, .inputUnreadable, .encrypted, .noAudio: return 3
    case .damaged: return 4
    case .unsupportedCodec, .unsupportedFeature, .layoutUnknown: return 5
    case .outputExists, .outputUnwritable, .outputLimit: return 6
    case .verificationFailed: return 7
    case .targetNotMet: return 8
    case .degraded: return 9
    // EX_TEMPFAIL of sysexits.h: the same command may succeed later.
    case .diskFull, .outOfResources, .unavailable, .busy: return 75
    // What shells report of a process that SIGINT (2) ended: 128 + 2.
    case .interrupted: return 130
    }
  }

  /// The sentence.
  public var description: String { message }
}
