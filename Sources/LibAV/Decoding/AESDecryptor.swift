// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg

/// AES-128 in cipher block chaining (FIPS 197; NIST SP 800-38A, 6.2), decrypting (AVAES).
package final class AESDecryptor {
  /// Bytes of a block, of the key and of the initialisation vector.
  package static let blockSize = 16

  private let context: OpaquePointer
  private var vector: [UInt8]

  /// A decryptor for `key` that begins with `vector`, 16 bytes each.
  /// - Throws: ``MediaError`` of kind `internal` for other lengths, ``LibAVError`` without memory.
  package init(key: [UInt8], vector: [UInt8]) throws {
    guard key.count == AESDecryptor.blockSize, vector.count == AESDecryptor.blockSize else {
      throw MediaError(.internal, "AES-128 takes a key and a vector of 16 bytes")
    }
    guard let fresh = av_aes_alloc() else { throw LibAVError(code: PINNA_ENOMEM) }
    context = fresh
    self.vector = vector
    av_aes_init(context, key, 128, 1)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Decrypts `bytes`, whole blocks that follow those of the call before, in place.
  /// - Throws: ``MediaError`` of kind `internal` when they aren't whole blocks.
  package func decrypt(_ bytes: inout [UInt8]) throws {
    guard bytes.count % AESDecryptor.blockSize == 0 else {
      throw MediaError(.internal, "AES decrypts whole blocks, not \(bytes.count) bytes")
    }
    let blocks = Int32(clamping: bytes.count / AESDecryptor.blockSize)
    bytes.withUnsafeMutableBufferPointer { text in
      vector.withUnsafeMutableBufferPointer { vector in
        av_aes_crypt(context, text.baseAddress, text.baseAddress, blocks, vector.baseAddress, 1)
      }
    }
  }
}
