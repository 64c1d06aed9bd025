import CFFmpeg

/// A checksum of 128 bits that costs a fraction of a cryptographic one (MurmurHash3): for telling
/// whether bytes are still those that were written, where nobody forges them.
package final class ByteChecksum {
  private let context: OpaquePointer

  /// The checksum of nothing yet.
  /// - Throws: ``LibAVError`` when memory is out.
  package init() throws {
    guard let fresh = av_murmur3_alloc() else { throw LibAVError(code: PINNA_ENOMEM) }
    context = fresh
    av_murmur3_init(context)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    av_murmur3_update(context, base, bytes.count)
  }

  /// The 16 bytes of the checksum. Ends it: call once, after the last bytes.
  package func finish() -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 16)
    av_murmur3_final(context, &result)
    return result
  }
}
