// SPDX-License-Identifier: Apache-2.0

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
    /// The written output isn't what was meant.
    case verificationFailed = "verification-failed"
    /// The loudness or peak target can't be met under the chosen policy.
    case targetNotMet = "target-not-met"
    /// The result is degraded and `--strict` was given.
    case degraded
    /// A tap of the caller's own threw the error that is the cause.
    case tapFailed = "tap-failed"
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

    /// Meaning of the kind, in one sentence.
    package var sentence: String {
      switch self {
      case .internal: "A bug or an impossible state."
      case .usage: "Wrong options or configuration."
      case .inputMissing: "The input doesn't exist."
      case .inputUnreadable: "The input exists but can't be read or isn't a known media file."
      case .encrypted: "The input is encrypted."
      case .noAudio: "The input has no audio track, or no decodable audio in it."
      case .damaged: "The bitstream is damaged."
      case .unsupportedCodec: "The codec isn't supported."
      case .unsupportedFeature: "The feature isn't supported."
      case .layoutUnknown: "The channel layout can't be known."
      case .outputExists: "The output exists and may not be replaced."
      case .outputUnwritable: "The output can't be written."
      case .outputLimit: "The output would be larger than allowed."
      case .verificationFailed: "The written output isn't what was meant."
      case .targetNotMet: "The loudness or peak target can't be met under the chosen policy."
      case .degraded: "The result is degraded and `--strict` was given."
      case .tapFailed: "A tap of the calling program threw an error, which is stated as the cause."
      case .diskFull: "No space left, or a file size limit."
      case .outOfResources: "Out of file handles or memory."
      case .unavailable: "A server answers that it can't now, or stops in the middle of a transfer."
      case .busy: "Another run is at work in the same place."
      case .interrupted: "Stopped by a signal or a cancelled task."
      }
    }
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

  /// This failure with another cause.
  package func caused(by cause: (any Error)?) -> MediaError { MediaError(self, cause: cause) }

  private init(_ error: MediaError, cause: (any Error)?) {
    kind = error.kind
    message = error.message
    subject = error.subject
    self.cause = cause
  }

  /// The exit code of a process that fails with this error: 1…9, 75 or 130 (docs/reference/exit-codes.md).
  public var exitCode: Int32 {
    switch kind {
    case .internal, .tapFailed: return 1
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
    // The code that shells report of a process that SIGINT (2) ended: 128 + 2.
    case .interrupted: return 130
    }
  }

  /// The sentence.
  public var description: String { message }
}

/// Hides what gives access in texts that people see.
package enum WebSecrets {
  /// Text that stands instead of a secret.
  package static let mark = "***"

  /// Parts of the names of parameters whose values give access, in lower case: tokens and signatures of clouds and
  /// content networks (X-Amz-Signature, X-Goog-Credential, sig, hmac), keys, passwords.
  private static let names = [
    "token", "sig", "key", "auth", "pass", "pwd", "secret", "cred", "policy", "session", "jwt",
    "hmac",
    "hash", "md5",
  ]
  /// A value of this length is hidden whatever its name: a random word of 16 signs can't be guessed.
  private static let length = 16

  /// A query with secret values hidden. Both `&` and `;` separate its parameters.
  package static func hidden(query: String) -> String {
    var shown = ""
    var rest = Substring(query)
    while true {
      let part = rest.prefix { $0 != "&" && $0 != ";" }
      shown += hidden(parameter: part)
      rest = rest[part.endIndex...]
      guard let separator = rest.popFirst() else { return shown }
      shown.append(separator)
    }
  }

  /// One parameter of a query, its value hidden where it gives access.
  private static func hidden(parameter: Substring) -> String {
    let halves = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      return parameter.utf8.count < length ? String(parameter) : mark
    }
    let name = halves[0].lowercased()
    let isSecret = halves[1].utf8.count >= length || names.contains { name.contains($0) }
    return isSecret && !halves[1].isEmpty ? "\(halves[0])=\(mark)" : String(parameter)
  }

  /// `text`, a URL of any scheme or a relative one, without user and password and with secret values hidden.
  package static func hidden(reference text: String) -> String {
    let plain = withoutUser(text).prefix { $0 != "#" }
    let halves = plain.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = String(halves.first ?? "")
    return halves.count == 2 ? place + "?" + hidden(query: String(halves[1])) : place
  }

  /// `text` without what stands between `//` and the `@` before its host.
  private static func withoutUser(_ text: String) -> String {
    guard let slashes = text.firstRange(of: "//") else { return text }
    let rest = text[slashes.upperBound...]
    // Only in the path may another `//` stand, and an `@` behind it belongs to no host.
    guard !text[..<slashes.lowerBound].contains(where: { "/?#".contains($0) }) else { return text }
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") ?? misplacedMark(rest, authority) else {
      return text
    }
    return text[..<slashes.upperBound] + String(rest[rest.index(after: at)...])
  }

  /// The last `@` of a URL whose password has an unescaped `/`, `?` or `#`. Such a URL shows itself by a port that isn't a
  /// number; it can't be opened, and its password mustn't be printed.
  private static func misplacedMark(_ rest: Substring, _ authority: Substring) -> String.Index? {
    guard !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":"),
      !authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
    else { return nil }
    return rest.lastIndex(of: "@")
  }

  /// `text` as ``hidden(reference:)`` shows it where it begins as a URL does; other texts, such as paths, as they are.
  package static func shown(_ text: String) -> String {
    guard let end = text.firstRange(of: "://")?.lowerBound, end > text.startIndex,
      text[..<end].utf8.allSatisfy({ byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
          || "+-.".utf8.contains(byte)
      })
    else { return text }
    return hidden(reference: text)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it and does nothing else: no control character, no line or paragraph separator, and no mark
  /// that turns the direction of the text beside it.
  package var isPlain: Bool {
    if isASCII { return (0x20..<0x7F).contains(value) }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    default: return !properties.isBidiControl
    }
  }
}
