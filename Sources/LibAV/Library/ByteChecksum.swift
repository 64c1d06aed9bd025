import CFFmpeg

/// A checksum of 128 bits that costs a fraction of a cryptographic one (MurmurHash3): for telling
/// whether bytes are still those that were written, where nobody forges them.
package final class ByteChecksum {
  /// Bytes that MurmurHash3 mixes at once.
  private static let block = 16

  private let context: OpaquePointer
  /// Bytes after the last whole block.
  private var tail: [UInt8] = []

  /// The checksum of nothing yet.
  /// - Throws: ``LibAVError`` when memory is out.
  package init() throws {
    guard let fresh = av_murmur3_alloc() else { throw LibAVError(code: PINNA_ENOMEM) }
    context = fresh
    av_murmur3_init(context)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Adds bytes, in pieces of any size.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    // libavutil takes a last block that a piece fills to its end for an unfinished one, so that it gets whole blocks alone.
    if !tail.isEmpty {
      let missing = rest.prefix(ByteChecksum.block - tail.count)
      tail.append(contentsOf: missing)
      rest = rest.dropFirst(missing.count)
      guard tail.count == ByteChecksum.block else { return }
      tail.withUnsafeBytes { add($0) }
      tail.removeAll(keepingCapacity: true)
    }
    let whole = rest.prefix(rest.count / ByteChecksum.block * ByteChecksum.block)
    add(UnsafeRawBufferPointer(rebasing: whole))
    tail.append(contentsOf: rest.dropFirst(whole.count))
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else { return }
    av_murmur3_update(context, base, bytes.count)
  }

  /// The 16 bytes of the checksum. Ends it: call once, after the last bytes.
  package func finish() -> [UInt8] {
    tail.withUnsafeBytes { add($0) }
    var result = [UInt8](repeating: 0, count: 16)
    av_murmur3_final(context, &result)
    return result
  }
}
