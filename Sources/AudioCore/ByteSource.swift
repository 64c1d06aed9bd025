// SPDX-License-Identifier: Apache-2.0

/// Random access to the bytes of a file.
package struct ByteSource {
  /// Bytes in all.
  package let size: Int64
  private let fetch: (Int64, Int) -> [UInt8]

  /// A source of `size` bytes; `fetch(offset, count)` returns fewer bytes only at the end.
  package init(size: Int64, fetch: @escaping (Int64, Int) -> [UInt8]) {
    self.size = size
    self.fetch = fetch
  }

  /// The bytes in memory.
  package init(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    self.init(size: Int64(bytes.count)) { Array(bytes[Int($0)...].prefix($1)) }
  }

  /// Up to `count` bytes at `offset`.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    return fetch(offset, Int(min(Int64(count), size - offset)))
  }
}
