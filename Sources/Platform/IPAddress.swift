// SPDX-License-Identifier: Apache-2.0

/// An address of the Internet Protocol.
package struct IPAddress: Sendable, Hashable {
  /// 4 bytes of IPv4 or 16 of IPv6, in network order.
  package let bytes: [UInt8]

  /// An address from its 4 or 16 bytes; `nil` for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// The address that `text` writes in any form that the system understands as one, such as `10.0.0.1`, `127.1`,
  /// `0x7f000001` or `::1`; `nil` for the name of a host.
  package init?(_ text: String) {
    guard let first = try? IPAddress.look(up: text, onlyNumbers: true).first else { return nil }
    self = first
  }

  /// All addresses of `host`, in the order in which the system tries them. This may ask servers of names, and waits
  /// for as long as the system is set to.
  /// - Throws: ``LookupFailure``.
  package static func all(of host: String) throws -> [IPAddress] {
    try look(up: host, onlyNumbers: false)
  }

  /// The address as URLs write it: IPv6 in brackets.
  package var authority: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { index in
      String(Int(bytes[index]) << 8 | Int(bytes[index + 1]), radix: 16)
    }
    return "[" + groups.joined(separator: ":") + "]"
  }

  private static func look(up host: String, onlyNumbers: Bool) throws -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_socktype = IPAddress.stream
    hints.ai_flags = onlyNumbers ? AI_NUMERICHOST : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { throw LookupFailure(detail: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }
    var found: [IPAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = address(entry), !found.contains(address) { found.append(address) }
      next = entry.ai_next
    }
    return found
  }

  /// The type of sockets of TCP; glibc names types by an enumeration and others by numbers.
  private static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func address(_ entry: addrinfo) -> IPAddress? {
    guard let pointer = UnsafeRawPointer(entry.ai_addr) else { return nil }
    switch entry.ai_family {
    case AF_INET:
      let place = pointer.loadUnaligned(as: sockaddr_in.self).sin_addr
      return IPAddress(bytes: withUnsafeBytes(of: place) { Array($0) })
    case AF_INET6:
      let place = pointer.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      return IPAddress(bytes: withUnsafeBytes(of: place) { Array($0) })
    default: return nil
    }
  }
}

/// A name for which the system finds no address.
package struct LookupFailure: Error, Sendable {
  /// The system's words for it.
  package let detail: String
}
