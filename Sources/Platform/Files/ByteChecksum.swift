// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CXXHash

/// A checksum of 128 bits (XXH3) that costs a small part of a cryptographic one: for telling whether bytes are still those that
/// were written, where nobody forges them.
package final class ByteChecksum {
  private let state: OpaquePointer

  /// The checksum of nothing yet.
  /// - Throws: ``MediaError`` of kind `outOfResources` when memory is out.
  package init() throws {
    guard let fresh = XXH3_createState(), XXH3_128bits_reset(fresh) == XXH_OK else {
      throw MediaError(.outOfResources, "memory is out; try again")
    }
    state = fresh
  }

  deinit { XXH3_freeState(state) }

  /// Adds bytes, in pieces of any size.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    XXH3_128bits_update(state, base, bytes.count)
  }

  /// The 16 bytes of the checksum of all bytes so far, in xxHash's canonical order.
  package func finish() -> [UInt8] {
    var canonical = XXH128_canonical_t()
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state))
    return withUnsafeBytes(of: canonical) { [UInt8]($0) }
  }
}
