import Platform

/// Random access to the bytes of a file.
package struct FileBytes {
  /// Bytes in all.
  package let size: Int64
  private let fetch: (Int64, Int) -> [UInt8]

  /// A source of `size` bytes; `fetch(offset, count)` returns fewer bytes only where the file ends or
  /// can't be read.
  package init(size: Int64, fetch: @escaping (Int64, Int) -> [UInt8]) {
    self.size = size
    self.fetch = fetch
  }

  /// The bytes of a file.
  package init(_ file: LocalFile) {
    self.init(size: file.size) { file.bytes(at: $0, count: $1) }
  }

  /// Up to `count` bytes at `offset`; fewer at the end of the file.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    return fetch(offset, Int(min(Int64(count), size - offset)))
  }

  /// Exactly `count` bytes at `offset`.
  /// - Throws: ``ADMError`` naming `what` when there are fewer.
  func allBytes(at offset: Int64, count: Int, of what: String) throws(ADMError) -> [UInt8] {
    let bytes = bytes(at: offset, count: count)
    guard bytes.count == count else {
      throw ADMError(
        .container, "\(what) ends after \(bytes.count) of \(count) bytes; copy the file again")
    }
    return bytes
  }
}
