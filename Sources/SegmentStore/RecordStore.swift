import Platform

/// What earlier runs noted for later ones, each note in a file that is named for its ``SegmentKey``.
///
/// A file with any fault counts as absent, and a note that can't be stored is only forgotten.
package struct RecordStore: Sendable {
  /// Bytes of one note at most.
  static let largest = 64 << 20
  /// Bytes that all notes may take.
  private static let limit: Int64 = 256 << 20
  private static let signature = Array("PinnaRec".utf8)

  private let folder: CacheFolder

  /// The notes in the cache at `path`; the folder is made on first use.
  package init(path: String) {
    folder = CacheFolder(path: path + "/records", patience: 3600)
  }

  /// The note called `key`; `nil` where there is none.
  package func load(_ key: SegmentKey) -> [UInt8]? {
    guard let file = folder.find(key.text), file.size <= Int64(RecordStore.largest + 16) else {
      return nil
    }
    folder.markUsed(file)
    let bytes = file.bytes(at: 0, count: Int(file.size))
    let end = bytes.count - 8
    guard end >= 8, Array(bytes[0..<8]) == RecordStore.signature else { return nil }
    let sum = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: end, as: UInt64.self) }
    guard XXH64.of(Array(bytes[..<end])) == UInt64(littleEndian: sum) else { return nil }
    return Array(bytes[8..<end])
  }

  /// Stores `bytes` as the note called `key`, which replaces the one before. More than 64 MiB aren't stored.
  package func save(_ bytes: [UInt8], as key: SegmentKey) {
    guard bytes.count <= RecordStore.largest, let file = folder.begin() else { return }
    var content = RecordStore.signature + bytes
    withUnsafeBytes(of: XXH64.of(content).littleEndian) { content.append(contentsOf: $0) }
    if content.withUnsafeBytes({ file.store($0, at: 0) }) { _ = file.place(as: key.text) }
    folder.trim(to: RecordStore.limit) { $0 == key.text }
  }
}
