import Crypto

/// SHA-256 of sample data as they lie in a file: little-endian, interleaved.
package struct PCMDigest {
  private var hash = SHA256()

  /// The digest of nothing yet.
  package init() {}

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    hash.update(bufferPointer: bytes)
  }

  /// The digest so far, 64 hexadecimal digits.
  package var hexadecimal: String { PCMDigest.text(hash.finalize()) }

  /// Digest of `bytes`, 64 hexadecimal digits.
  package static func of(_ bytes: [UInt8]) -> String { text(SHA256.hash(data: bytes)) }

  private static func text(_ digest: SHA256.Digest) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
