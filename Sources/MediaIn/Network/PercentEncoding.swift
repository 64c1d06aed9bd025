/// Percent-encoding of URLs (RFC 3986, 2.1).
enum PercentEncoding {
  /// The bytes of `text` with percent-encoded ones decoded.
  static func decoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    var index = 0
    while index < source.count {
      let digits = source[index...].dropFirst().prefix(2)
      // `UInt8(_:radix:)` would accept a sign in front.
      if source[index] == 0x25, digits.count == 2, digits.first != 0x2B, digits.first != 0x2D,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    return bytes
  }
}
