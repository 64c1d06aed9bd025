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
