import AudioCore
import Platform

/// SHA-256 of source files, remembered from one run to the next by what the system says of each file.
///
/// A file whose device, inode, size or times are others is hashed anew, and so is one that was changed less than
/// three seconds ago. What is remembered lies in one small file in the folder of a ``SegmentCache``; a file with
/// any fault counts as empty. Not thread-safe.
package final class SourceDigests {
  /// Files that are remembered; the ones added first are forgotten first.
  static let capacity = 10_000

  private let folder: CacheFolder
  private let isRemembering: Bool
  private let now: () -> Int
  private var known: [FileIdentity: String]
  /// What was hashed since the last ``save()``, in order.
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
    let digest = try SourceDigests.hash(file)
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

  /// Writes what was added to the folder, with what other processes wrote meanwhile. What can't be written is
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

  private static func hash(_ file: LocalFile) throws -> String {
    var digest = Digest(.sha256)
    var offset: Int64 = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let got = chunk.withUnsafeMutableBytes { room in
        room.baseAddress.map { file.read(into: $0, count: room.count, at: offset) } ?? 0
      }
      guard got >= 0 else {
        let text = String(cString: strerror(Int32(-got)))
        throw MediaError(
          .inputUnreadable, about: file.path, "can't be read (\(text)); check the disk")
      }
      if got == 0 { return digest.hexadecimal }
      chunk.withUnsafeBytes {
        digest.update(UnsafeRawBufferPointer(rebasing: $0[..<got]))
      }
      offset += Int64(got)
    }
  }
}
