/// Numbers as playlists write them.
enum PlaylistNumber {
  /// Nanoseconds of a year: the greatest duration that is read, so that sums stay inside 64 bits.
  static let year: Int64 = 31_536_000_000_000_000

  /// A decimal integer of at most 18 digits, which always fits into 64 bits; `nil` for anything else.
  static func integer(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }

  /// A decimal number of seconds, up to a year, in nanoseconds. The uncertainty is the error that rounding
  /// to the last digit may have caused: half a unit of that digit.
  static func seconds(_ text: some StringProtocol) -> (nanoseconds: Int64, uncertainty: Int64)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap({ integer($0) }), whole <= year / 1_000_000_000 else {
      return nil
    }
    let digits = parts.count == 2 ? parts[1].prefix(9) : ""
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    var unit: Int64 = 1_000_000_000
    for _ in 0..<digits.utf8.count { unit /= 10 }
    let part = (integer(digits) ?? 0) * unit
    return (whole * 1_000_000_000 + part, unit / 2)
  }

  /// A byte range `length[@offset]`.
  static func byteRange(_ text: some StringProtocol) -> (length: Int64, offset: Int64?)? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let length = integer(parts[0]), length > 0 else {
      return nil
    }
    guard parts.count == 2 else { return (length, nil) }
    guard let offset = integer(parts[1]) else { return nil }
    return (length, offset)
  }
}
