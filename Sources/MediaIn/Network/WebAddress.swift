// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// An http or https URL (RFC 3986), absolute and without fragment.
package struct WebAddress: Sendable, Hashable {
  /// `http` or `https`.
  package let scheme: String
  /// Host, with port and credentials where given.
  package let authority: String
  /// Path, beginning with `/`.
  package let path: String
  /// Text after `?`, if any.
  package let query: String?

  /// Reads a URL; `nil` for other schemes and for one without a host.
  ///
  /// Bytes that no URL may hold are percent-encoded, so that none of them reaches a request line.
  package init?(_ text: String) {
    guard let scheme = WebAddress.scheme(of: text).map({ $0.lowercased() }),
      scheme == "http" || scheme == "https"
    else { return nil }
    let rest = text.dropFirst(scheme.count + 1)
    guard rest.utf8.starts(with: "//".utf8) else { return nil }
    self.init(
      scheme: scheme, afterSlashes: String(decoding: rest.utf8.dropFirst(2), as: UTF8.self))
  }

  private init?(scheme: String, afterSlashes text: String) {
    let parts = WebAddress.split(text)
    let end = parts.path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? parts.path.endIndex
    let authority = String(parts.path[..<end])
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !host.isEmpty, !host.hasPrefix(":"), authority.utf8.allSatisfy(WebAddress.isPlain) else {
      return nil
    }
    // A port must be one, and a host may not hold more than one address or a scope.
    let place = WebAddress.parts(of: String(host))
    guard place.port.map({ (1...65535).contains($0) }) ?? true, !place.host.contains("%"),
      place.host.hasPrefix("[") == place.host.contains(":")
    else { return nil }
    let path = String(parts.path[end...])
    self.init(
      scheme: scheme, authority: authority, path: path.isEmpty ? "/" : path, query: parts.query)
  }

  private init(scheme: String, authority: String, path: String, query: String?) {
    self.scheme = scheme
    self.authority = authority
    self.path = WebAddress.encoded(WebAddress.withoutDots(path))
    self.query = query.map(WebAddress.encoded)
  }

  /// The URL as requests use it.
  package var text: String { text(authority) }

  /// The URL as messages and reports show it: without user and password, and with values in the query that may give
  /// access, such as tokens and signatures, hidden.
  package var publicText: String {
    "\(scheme)://\(hostAndPort)\(path)" + (query.map { "?" + WebSecrets.hidden(query: $0) } ?? "")
  }

  /// The URL without user and password.
  var textWithoutCredentials: String { text(hostAndPort) }

  /// Path and query, as a request to the server itself names them.
  var target: String { path + (query.map { "?" + $0 } ?? "") }

  /// Host, with port where given.
  var hostAndPort: String {
    authority.split(separator: "@").last.map(String.init) ?? authority
  }

  /// The host alone; an address of IPv6 stands in brackets.
  var host: String { WebAddress.parts(of: hostAndPort).host }

  /// The port, by default that of the scheme.
  var port: Int { WebAddress.parts(of: hostAndPort).port ?? (scheme == "https" ? 443 : 80) }

  /// User and password as `user:password`, percent-decoded; `nil` without.
  var credentials: [UInt8]? {
    guard let at = authority.lastIndex(of: "@"), at > authority.startIndex else { return nil }
    let decoded = PercentEncoding.decoded(String(authority[..<at]))
    return decoded.contains(0x3A) ? decoded : decoded + [0x3A]
  }

  /// This URL with user and password of `other` where both are of one server and this one has none.
  func carryingCredentials(of other: WebAddress) -> WebAddress {
    guard credentials == nil, scheme == other.scheme, port == other.port,
      HostPolicy.plain(host) == HostPolicy.plain(other.host),
      let at = other.authority.lastIndex(of: "@")
    else { return self }
    return WebAddress(
      scheme: scheme, authority: other.authority[...at] + hostAndPort, path: path, query: query)
  }

  /// Host and port of `text`; the port is 0 where what stands there is none.
  private static func parts(of text: String) -> (host: String, port: Int?) {
    let bracket = text.lastIndex(of: "]") ?? text.startIndex
    guard let colon = text[bracket...].lastIndex(of: ":") else { return (text, nil) }
    let digits = text[text.index(after: colon)...]
    let port =
      digits.isEmpty ? nil : PlaylistNumber.integer(digits).flatMap { Int(exactly: $0) } ?? 0
    return (String(text[..<colon]), port)
  }

  /// The last part of the path.
  package var lastComponent: String {
    PathParts.of(path).last ?? ""
  }

  /// `text` without user and password where it is a URL that holds them.
  package static func withoutCredentials(_ text: String) -> String {
    WebAddress(text)?.publicText ?? text
  }

  /// The URL that `reference` means relative to this one (RFC 3986, 5.2.2); `nil` for other schemes.
  func resolving(_ reference: String) -> WebAddress? {
    if WebAddress.scheme(of: reference) != nil { return WebAddress(reference) }
    if reference.utf8.starts(with: "//".utf8) {
      let rest = String(decoding: reference.utf8.dropFirst(2), as: UTF8.self)
      return WebAddress(scheme: scheme, afterSlashes: rest)
    }
    let parts = WebAddress.split(reference)
    if parts.path.isEmpty {
      return WebAddress(
        scheme: scheme, authority: authority, path: path, query: parts.query ?? query)
    }
    let folder = PathParts.hasFolder(path) ? PathParts.split(path).folder : "/"
    return WebAddress(
      scheme: scheme, authority: authority,
      path: PathParts.isAbsolute(parts.path) ? parts.path : folder + parts.path,
      query: parts.query)
  }

  /// The scheme of an absolute URI (RFC 3986, 3.1); `nil` for a relative reference.
  static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    guard scheme.first.map({ $0.isASCII && $0.isLetter }) == true,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return String(scheme)
  }

  private func text(_ authority: String) -> String {
    "\(scheme)://\(authority)\(path)" + (query.map { "?" + $0 } ?? "")
  }

  /// Texts before and behind `?`, without the fragment.
  ///
  /// Bytes count: with a combining mark behind it, a question mark is no question mark to `Character`, but one to a server.
  private static func split(_ text: String) -> (path: String, query: String?) {
    let whole = Substring(text.utf8.prefix { $0 != UInt8(ascii: "#") })
    guard let mark = whole.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      return (String(whole), nil)
    }
    return (String(whole[..<mark]), String(whole[whole.utf8.index(after: mark)...]))
  }

  /// `path` with `.` and `..` resolved (RFC 3986, 5.2.4).
  private static func withoutDots(_ path: String) -> String {
    var kept: [String] = []
    let parts = path.parts(at: "/").dropFirst()
    for (index, part) in zip(parts.indices, parts) {
      let isLast = index == parts.endIndex - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return "/" + kept.joined(separator: "/")
  }

  /// Whether a URL may hold `byte` without percent-encoding (RFC 3986, 2).
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += ("%" + byte.hexadecimal(2, uppercase: true)).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
