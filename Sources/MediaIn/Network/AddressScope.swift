import Platform

/// Who an address of the Internet Protocol can be reached by.
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
