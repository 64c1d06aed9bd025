/// Hides what gives access in texts that people see.
package enum WebSecrets {
  /// What stands instead of a secret.
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

  /// A query with secret values hidden.
  package static func hidden(query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { part in
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { return part.utf8.count < length ? String(part) : mark }
      let name = halves[0].lowercased()
      let isSecret = halves[1].utf8.count >= length || names.contains { name.contains($0) }
      return isSecret && !halves[1].isEmpty ? "\(halves[0])=\(mark)" : String(part)
    }.joined(separator: "&")
  }

  /// `text`, a URL of any scheme or a relative one, without user and password and with secret values hidden.
  package static func hidden(reference text: String) -> String {
    let plain = text.prefix { $0 != "#" }
    let halves = plain.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var place = String(halves.first ?? "")
    if let slashes = place.firstRange(of: "//") {
      let rest = place[slashes.upperBound...]
      let authority = rest.prefix { $0 != "/" }
      if let at = authority.lastIndex(of: "@") {
        place = place[..<slashes.upperBound] + String(rest[rest.index(after: at)...])
      }
    }
    return halves.count == 2 ? place + "?" + hidden(query: String(halves[1])) : place
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
