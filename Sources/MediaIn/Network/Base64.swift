/// Bytes as text of 64 signs (RFC 4648, 4).
enum Base64 {
  private static let signs = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// `bytes` as text, with padding.
  static func text(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let value = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for place in 0..<4 {
        result.append(place <= part.count ? signs[value >> (18 - 6 * place) & 63] : 0x3D)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
