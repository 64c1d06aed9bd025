// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Decides about each URL that is opened for one input: the one place that knows which hosts may be used.
///
/// A host is used when it is public, is the host of the URL that the user gave, or is listed. If hosts are listed,
/// public ones that aren't listed are refused. A host is private when any of its addresses isn't globally reachable.
final class HostPolicy {
  /// The origin of a URL.
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
    // Without addresses, a proxy looks them up. A host that is private by its name is known all the same.
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

/// The hosts that can reach an address of the Internet Protocol.
enum AddressScope: Equatable {
  /// Anybody.
  case open
  /// This machine, its own network or nobody: an address that isn't globally reachable.
  case restricted

  /// Prefixes of IPv4 that aren't globally reachable (IANA's registry of special-purpose addresses, RFC 6890), and
  /// those of multicast (RFC 5771): first bytes, and how many bits of them count.
  private static let restrictedIPv4: [([UInt8], Int)] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
    ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15),
    ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
  ]

  /// The only prefix of IPv6 from which addresses for everybody are assigned (RFC 4291, 2.4).
  private static let openIPv6: ([UInt8], Int) = ([0x20], 3)

  /// Parts of it that aren't for everybody: protocol assignments with Teredo, documentation.
  private static let restrictedIPv6: [([UInt8], Int)] = [
    ([0x20, 0x01, 0x00, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x3F, 0xFF, 0x00], 20),
  ]

  /// Prefixes of IPv6 that carry an address of IPv4, and the byte it begins at: mapped and compatible addresses
  /// (RFC 4291, 2.5.5), NAT64 (RFC 6052), 6to4 (RFC 3056). Such an address has the scope of the carried one.
  private static let carriers: [([UInt8], Int, Int)] = [
    ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF], 96, 12),
    ([UInt8](repeating: 0, count: 12), 96, 12),
    ([0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8), 96, 12), ([0x20, 0x02], 16, 2),
  ]

  /// The scope of `address`.
  init(_ address: IPAddress) {
    let bytes = address.bytes
    if bytes.count == 4 {
      let isRestricted = AddressScope.restrictedIPv4.contains {
        AddressScope.has(bytes, $0.0, $0.1)
      }
      self = isRestricted ? .restricted : .open
      return
    }
    for (prefix, bits, place) in AddressScope.carriers where AddressScope.has(bytes, prefix, bits) {
      let carried = IPAddress(bytes: Array(bytes[place..<place + 4]))
      self = carried.map(AddressScope.init) ?? .restricted
      return
    }
    let isOpen =
      AddressScope.has(bytes, AddressScope.openIPv6.0, AddressScope.openIPv6.1)
      && !AddressScope.restrictedIPv6.contains { AddressScope.has(bytes, $0.0, $0.1) }
    self = isOpen ? .open : .restricted
  }

  /// Whether the first `bits` bits of `bytes` are those of `prefix`.
  private static func has(_ bytes: [UInt8], _ prefix: [UInt8], _ bits: Int) -> Bool {
    (0..<bits).allSatisfy { bit in
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      return bytes[bit / 8] & mask == (bit / 8 < prefix.count ? prefix[bit / 8] : 0) & mask
    }
  }
}

/// The proxy that the environment names in `http_proxy` and `no_proxy`, by the rules of libavformat: http goes
/// through it as it is, https by a tunnel.
struct WebProxy: Sendable {
  /// The proxy; `nil` for none.
  let address: WebAddress?
  private let exceptions: [String]

  /// A proxy from the values of the two variables, by default those of the environment.
  init(
    address: String? = WebProxy.variable("http_proxy"),
    exceptions: String? = WebProxy.variable("no_proxy")
  ) {
    let found = address.flatMap { $0.hasPrefix("http://") ? WebAddress($0) : nil }
    self.address = found
    self.exceptions = (exceptions ?? "").split { $0 == " " || $0 == "," }.map(String.init)
  }

  /// Whether requests to `host` go through it.
  func applies(to host: String) -> Bool {
    address != nil && !exceptions.contains { WebProxy.matches($0, host) }
  }

  private static func matches(_ pattern: String, _ host: String) -> Bool {
    if pattern == "*" { return true }
    var domain = pattern[...]
    if domain.hasPrefix("*") { domain = domain.dropFirst() }
    if domain.hasPrefix(".") { domain = domain.dropFirst() }
    return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
  }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Limits on what an input, and a playlist that is the input, may open.
public struct InputBounds: Sendable, Hashable, Codable {
  /// Whether the network is never used: URLs are refused, whether the user or a playlist gives them.
  public var isOffline = false
  /// The folder that inputs must lie in once symbolic links are followed; `nil` is no limit.
  public var root: String?
  /// A PEM file with certificates of authorities that https servers are believed by; `nil` believes those of the
  /// system.
  public var authorities: String?

  /// Hosts that may be used besides that of the URL that the user gives: names, addresses, or `*.` and a domain. Empty
  /// allows all public ones. Private addresses are used only where the given URL has that very host, or listed by name.
  public var allowedHosts: [String] = []
  /// Seconds that a server may send nothing, or less than 1 KiB/s on average, before a transfer is given up.
  public var networkTimeout = 20.0
  /// Most bytes that one input may fetch over the network in all.
  public var downloadLimit: Int64 = 64 << 30

  /// No bounds but those of the network's defaults.
  public init() {}

  /// Whether `text` can stand in ``allowedHosts``: a name, an address, or `*.` and a domain; without scheme and port.
  public static func isHost(_ text: String) -> Bool {
    if IPAddress(text) != nil { return true }
    let name = text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
    guard let address = WebAddress("http://\(name)") else { return false }
    return address.authority == name && address.host == name && !name.contains("*")
  }

  /// Opens the file at `path`. A file outside of ``root`` isn't opened at all.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`, or as ``LocalFile/init(path:)``.
  package func open(_ path: String) throws -> LocalFile {
    try admit(path)
    let file = try MediaFile.locate(path)
    // A link may have been changed since the first check; the place of the opened file counts.
    try check(file.place, path)
    return file
  }

  /// Refuses a file at `path` that lies outside of ``root``, without opening it. A missing file passes:
  /// opening it gives the better error.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when the file lies outside.
  public func admit(_ path: String) throws {
    if let place = PathParts.real(path) { try check(place, path) }
  }

  private func check(_ place: String?, _ path: String) throws {
    guard let root else { return }
    guard let folder = PathParts.real(root), let place,
      PathParts.rest(of: place, below: folder) != nil
    else {
      throw MediaError(
        .inputUnreadable, about: path,
        "really lies outside of \(root), which \(setting: .inputRoot) forbids; copy it there"
      )
    }
  }
}
