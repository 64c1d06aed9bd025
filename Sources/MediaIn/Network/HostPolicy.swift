import AudioCore
import LibAV
import Platform

/// Decides about each URL that is opened for one input: the one place that knows which hosts may be used.
///
/// A host is used when it is public, is the host of the URL that the user gave, or is listed. Where hosts are listed,
/// public ones that aren't listed are refused. A host is private when any of its addresses isn't globally reachable.
final class HostPolicy {
  /// Where a URL comes from.
  enum Origin {
    /// The user gave it.
    case user
    /// A playlist names it.
    case playlist
    /// A server redirects to it.
    case redirect
  }

  private let listed: [String]
  /// The listed hosts that are addresses.
  private let numbers: [IPAddress]
  private let proxy: WebProxy
  private let resolve: (String) throws -> [IPAddress]
  /// The host of the URL that the user gave, and whether it was private when it was first used.
  private var given: (host: String, isPrivate: Bool)?

  /// A policy that allows the hosts in `listed` (names, addresses, or `*.` and a domain); empty allows all that are
  /// public. `resolve` finds the addresses of a name.
  init(
    listed: [String], proxy: WebProxy = WebProxy(),
    resolve: @escaping (String) throws -> [IPAddress] = IPAddress.all(of:)
  ) {
    self.listed = listed.map { HostPolicy.plain($0) }
    numbers = self.listed.compactMap { IPAddress($0) }
    self.proxy = proxy
    self.resolve = resolve
  }

  /// The addresses at which the host of `address` may be connected to; empty when a proxy looks them up.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` for a host that may not be used; ``RemoteFailure`` for one
  ///   that has no address.
  func admit(_ address: WebAddress, from origin: Origin) throws -> [IPAddress] {
    let host = HostPolicy.plain(address.host)
    let addresses = try addresses(of: host, address)
    // Without addresses, a proxy looks them up. What is private by its name is known all the same.
    let isPrivate =
      addresses.contains { AddressScope($0) == .restricted } || host == "localhost"
      || host.hasSuffix(".localhost")
    if origin == .user, given == nil { given = (host, isPrivate) }
    // A server could be called as a pattern is.
    if listed.contains(host), !host.hasPrefix("*") { return addresses }
    if IPAddress(host).map(numbers.contains) ?? false { return addresses }
    if isPrivate {
      guard let given, given.host == host, given.isPrivate else {
        throw refusal(address, origin, "is a private address", host)
      }
      return addresses
    }
    let isListed = listed.isEmpty || listed.contains { HostPolicy.isDomain($0, of: host) }
    guard isListed || given?.host == host else {
      throw refusal(address, origin, "isn't among the allowed hosts", host)
    }
    return addresses
  }

  private func addresses(of host: String, _ address: WebAddress) throws -> [IPAddress] {
    if let number = IPAddress(host) { return [number] }
    guard !proxy.applies(to: host) else { return [] }
    do {
      return try resolve(host)
    } catch let failure as LookupFailure {
      throw RemoteFailure(
        cause: .transport, hasAnswered: false, detail: "it has no address: \(failure.detail)")
    }
  }

  private func refusal(
    _ address: WebAddress, _ origin: Origin, _ flaw: String, _ host: String
  ) -> MediaError {
    let subject =
      switch origin {
      case .user: "isn't opened: its host"
      case .playlist: "isn't opened: a playlist names it, but its host"
      case .redirect: "isn't opened: a server redirects to it, but its host"
      }
    return MediaError(
      .inputUnreadable, about: address.publicText,
      "\(subject) \(flaw); allow it with \(setting: .allowedHosts) \(host) if you trust the source")
  }

  /// Whether `pattern` is `*.` and a domain that `host` lies below.
  private static func isDomain(_ pattern: String, of host: String) -> Bool {
    pattern.hasPrefix("*.") && host.hasSuffix(pattern.dropFirst())
      && host.utf8.count > pattern.utf8.count - 1
  }

  /// `host` in the form in which hosts are compared: lower case, without brackets and closing dot.
  static func plain(_ host: String) -> String {
    var text = host.lowercased()
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    while text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
