// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// SHA-256 of source files, remembered from one run to the next by what the system says of each file.
///
/// A file whose device, inode, size or times are others is hashed anew, and so is one that was changed less than
/// three seconds ago. The memory is one small file in the folder of a ``SegmentCache``; a file with
/// any fault counts as empty. Not thread-safe.
package final class SourceDigests {
  /// Files that are remembered; the ones added first are forgotten first.
  static let capacity = 10_000

  private let folder: CacheFolder
  private let isRemembering: Bool
  private let now: () -> Int
  private var known: [FileIdentity: String]
  /// Digests added since the last ``save()``, in order.
  private var added: [DigestMemo.Entry] = []

  /// The digests remembered in the cache at `path`.
  /// - Parameters:
  ///   - isRemembering: whether anything is remembered; otherwise every file is hashed each time.
  ///   - now: the system's clock in seconds.
  package init(
    path: String, isRemembering: Bool = true, now: @escaping () -> Int = { time(nil) }
  ) {
    folder = CacheFolder(path: path + "/digests", patience: 3600)
    self.isRemembering = isRemembering
    self.now = now
    let entries = isRemembering ? DigestMemo.entries(in: folder) : []
    known = Dictionary(entries.map { ($0.file, $0.digest) }) { $1 }
  }

  /// The SHA-256 of the bytes of the file at `path`, as 64 hexadecimal digits.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable` or `outOfResources`.
  package func digest(of path: String) throws -> String {
    let file = try LocalFile(path: path)
    let identity = file.openedIdentity
    if isRemembering, let digest = known[identity] { return digest }
    let digest = try file.sha256()
    // A file that changes while it is read has no digest that holds for later.
    if isRemembering, file.currentIdentity == identity, identity.isSettled(at: now()) {
      // Memory stays small for any number of files; those that were forgotten are hashed again.
      if known.count >= 2 * SourceDigests.capacity {
        save()
        known = [:]
      }
      known[identity] = digest
      added.append(DigestMemo.Entry(file: identity, digest: digest))
    }
    return digest
  }

  /// Writes what was added to the folder, with what other processes wrote meanwhile. Entries that can't be written are
  /// only forgotten.
  package func save() {
    guard !added.isEmpty else { return }
    var entries = DigestMemo.entries(in: folder)
    let fresh = Set(added.map(\.file))
    entries.removeAll { fresh.contains($0.file) }
    entries += added
    DigestMemo.write(entries.suffix(SourceDigests.capacity), in: folder)
    added = []
  }
}

/// The file in which digests of source files are kept.
///
/// The signature (8 bytes) is followed by the entries: seven numbers of the identity (Int64, little-endian) and
/// the digest as 64 hexadecimal digits each. At the end stands an XXH64 of all that.
enum DigestMemo {
  /// A file and the digest of its bytes.
  struct Entry: Equatable {
    let file: FileIdentity
    /// 64 hexadecimal digits.
    let digest: String
  }

  /// The name of the file, which has to be a digest in a ``CacheFolder``; it changes with the layout.
  static let name: String = {
    var parts = SegmentKey.Builder()
    parts.add("digests of source files", integer: 1)
    return parts.key.text
  }()

  private static let signature = Array("PinnaDig".utf8)
  private static let entrySize = 8 * FileIdentity.count + 64

  /// Entries in the file in `folder`; none when it has any fault.
  static func entries(in folder: CacheFolder) -> [Entry] {
    let most = Int64(16 + SourceDigests.capacity * entrySize)
    guard let file = folder.find(name), file.size <= most else { return [] }
    return entries(file.bytes(at: 0, count: Int(file.size)))
  }

  /// Replaces the file in `folder`; a failure leaves the old one.
  static func write(_ entries: some Sequence<Entry>, in folder: CacheFolder) {
    guard let file = folder.begin() else { return }
    if bytes(entries).withUnsafeBytes({ file.store($0, at: 0) }) { _ = file.place(as: name) }
    // Files that killed processes left are removed; the one file that is placed fits any limit.
    folder.trim(to: .max)
  }

  /// The content of the file.
  static func bytes(_ entries: some Sequence<Entry>) -> [UInt8] {
    var bytes = signature
    for entry in entries {
      for number in entry.file.numbers { bytes += number.littleEndianBytes }
      bytes += Array(entry.digest.utf8)
    }
    return bytes + XXH64.of(bytes).littleEndianBytes
  }

  /// Entries of a file with these bytes; none when they have any fault.
  static func entries(_ bytes: [UInt8]) -> [Entry] {
    let end = bytes.count - 8
    guard end >= 8, (end - 8).isMultiple(of: entrySize), Array(bytes[0..<8]) == signature,
      bytes.littleEndian(at: end) == XXH64.of(Array(bytes[..<end]))
    else { return [] }
    var entries: [Entry] = []
    for start in stride(from: 8, to: end, by: entrySize) {
      let digestStart = start + 8 * FileIdentity.count
      let numbers = stride(from: start, to: digestStart, by: 8).map {
        bytes.littleEndian(Int64.self, at: $0)
      }
      let digest = String(decoding: bytes[digestStart..<start + entrySize], as: UTF8.self)
      guard let file = FileIdentity(numbers: numbers), CacheFolder.isDigest(digest) else {
        return []
      }
      entries.append(Entry(file: file, digest: digest))
    }
    return entries
  }
}
