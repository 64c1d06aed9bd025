import Platform

/// SHA-256 of sample data as they lie in a file: little-endian, interleaved.
package struct PCMDigest {
  private var digest = Digest(.sha256)

  /// The digest of nothing yet.
  package init() {}

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  /// The digest so far, 64 hexadecimal digits.
  package var hexadecimal: String { digest.hexadecimal }

  /// Digest of `bytes`, 64 hexadecimal digits.
  package static func of(_ bytes: [UInt8]) -> String {
    var digest = PCMDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.hexadecimal
  }
}
