// SPDX-License-Identifier: Apache-2.0
import Platform

/// The sum of a file's bytes: a checksum that proofs compare, because nobody forges what was just written, and their SHA-256
/// where a report states it.
struct SampleSum {
  private let checksum: ByteChecksum
  private var digest: Digest?

  /// The sum of nothing yet. SHA-256 takes an eighth of a render of stereo, so that it is made only where somebody reads it.
  /// - Throws: ``MediaError`` of kind `outOfResources` when memory is out.
  init(hasDigest: Bool) throws {
    checksum = try ByteChecksum()
    digest = hasDigest ? Digest(.sha256) : nil
  }

  /// Adds bytes, in pieces of any size.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    digest?.update(bytes)
    checksum.update(bytes)
  }

  /// SHA-256 of the bytes so far; `nil` where no report states it.
  var hexadecimal: String? { digest?.hexadecimal }

  /// The 16 bytes of the checksum. Ends it: call once, after the last bytes.
  func finish() -> [UInt8] { checksum.finish() }
}
