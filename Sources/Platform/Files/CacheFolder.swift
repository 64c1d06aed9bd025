// SPDX-License-Identifier: Apache-2.0

/// A folder of cached files, each named for a SHA-256 that says what it was made from.
///
/// A file is written under a hidden name and renamed when it is complete. The folder is bounded by ``trim(to:last:)``.
/// No failure is an error: what can't be found, made or removed is only absent. Other files in the folder
/// are left alone.
package struct CacheFolder: Sendable {
  /// Files that were found or removed.
  package struct Amount: Sendable, Equatable {
    /// Number of files.
    package var files = 0
    /// Their size in bytes.
    package var bytes: Int64 = 0
  }

  /// One cached file: its digest, its size in bytes, and when it was last used.
  private struct Entry {
    let digest: String
    let size: Int64
    let used: timespec
  }

  /// Folder of the files; made when the first file is written.
  package let path: String
  /// End of each file's name, after the digest.
  let suffix: String
  /// Whether files lie in folders that are named for the first two digits of the digest.
  let isSplit: Bool
  /// Age in seconds at which an unfinished file counts as abandoned, although its writer may still live.
  private let patience: Int

  private static let unfinished = ".unfinished-"

  /// The cache at `path`; nothing is made yet.
  /// - Parameters:
  ///   - suffix: what ends each file's name.
  ///   - isSplit: whether files lie in folders named for the first two digits, which suits many files.
  ///   - patience: age in seconds at which an unfinished file is removed in any case.
  package init(path: String, suffix: String = "", isSplit: Bool = false, patience: Int) {
    self.path = path
    self.suffix = suffix
    self.isSplit = isSplit
    self.patience = patience
  }

  /// Whether `text` is a digest. Any other text could name a file outside the folder.
  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && isHexadecimal(text)
  }

  /// The file for `digest`, opened to read; `nil` when there is none.
  ///
  /// Links inside the folder are not followed, and anything but a regular file counts as absent.
  package func find(_ digest: String) -> LocalFile? {
    guard CacheFolder.isDigest(digest) else { return nil }
    let parent = locate(partName(digest))
    guard parent >= 0 else { return nil }
    defer { close(parent) }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = openat(parent, digest + suffix, flags)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      let file = try? LocalFile(descriptor: descriptor, name: place(digest))
    else {
      close(descriptor)
      return nil
    }
    return file
  }

  /// Notes that `file` was used now: ``trim(to:last:)`` first removes the files with the oldest time.
  package func markUsed(_ file: LocalFile) { futimens(file.descriptor, nil) }

  /// A new file, open to write; `nil` when the folder can't be made or written to.
  package func begin() -> UnfinishedFile? {
    guard make() else { return nil }
    let folder = open(path, OpenFlags.locate | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    for _ in 0..<100 {
      let letters = (0..<12).compactMap { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() }
      let name = CacheFolder.unfinished + String(letters)
      let descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        guard errno == EEXIST else { break }
        continue
      }
      // On a file system without locks, `trim` can't lock the file either and waits until it is old.
      flock(descriptor, LOCK_EX | LOCK_NB)
      var facts = stat()
      let isKnown = fstat(descriptor, &facts) == 0
      // Another process may have removed it as abandoned before it was locked.
      if isKnown, facts.st_nlink > 0 {
        return UnfinishedFile(self, folder: folder, name: name, descriptor: descriptor)
      }
      if !isKnown { unlinkat(folder, name, 0) }
      close(descriptor)
    }
    close(folder)
    return nil
  }

  /// Removes what killed processes left, and the files unused for longest until the rest takes at most
  /// `limit` bytes. Unfinished files of other writers count, but stay.
  /// - Parameter last: whether the file for a digest goes only when no other file is left.
  /// - Returns: the cached files that were removed.
  @discardableResult
  package func trim(to limit: Int64, last: (String) -> Bool = { _ in false }) -> Amount {
    var room = max(0, limit - min(limit, removeAbandoned()))
    var isFull = false
    var removed = Amount()
    let files = entries().map { (file: $0, isLast: last($0.digest)) }
    let order = files.sorted { one, other in
      guard one.isLast == other.isLast else { return one.isLast }
      let (first, second) = (one.file.used, other.file.used)
      return (first.tv_sec, first.tv_nsec) > (second.tv_sec, second.tv_nsec)
    }
    // From the one to be kept longest: where one doesn't fit, it and all behind it go.
    for (file, _) in order {
      isFull = isFull || file.size > room
      if !isFull {
        room -= file.size
      } else if remove(file.digest) {
        removed.files += 1
        removed.bytes = CacheFolder.sum(removed.bytes, file.size)
      }
    }
    return removed
  }

  /// The cached files that are there, whether or not their content is sound.
  package var amount: Amount {
    entries().reduce(into: Amount()) {
      $0.files += 1
      $0.bytes = CacheFolder.sum($0.bytes, $1.size)
    }
  }

  /// The name of the folder inside that `digest` belongs to; `nil` when it is the folder itself.
  func partName(_ digest: String) -> String? { isSplit ? String(digest.prefix(2)) : nil }

  private func place(_ digest: String) -> String {
    path + "/" + (partName(digest).map { $0 + "/" } ?? "") + digest + suffix
  }

  /// Locates the folder, or the folder `part` in it, which must not be a link.
  /// - Returns: a descriptor that the caller closes; −1 when there is no such folder.
  private func locate(_ part: String?) -> Int32 {
    let folder = open(path, OpenFlags.locate | O_CLOEXEC)
    guard folder >= 0, let part else { return folder }
    defer { close(folder) }
    return openat(folder, part, OpenFlags.locate | O_NOFOLLOW | O_CLOEXEC)
  }

  private func make() -> Bool { CacheFolder.make(path) }

  /// Makes the folder at `path` and those above it.
  /// - Returns: whether it is there and can be written.
  @discardableResult
  package static func make(_ path: String) -> Bool {
    var part = PathParts.isAbsolute(path) ? "" : "."
    for name in PathParts.of(path) {
      part += "/" + name
      // A parent folder that can't be made has to exist and be passable; it may be read-only.
      guard mkdir(part, 0o700) == 0 || errno == EEXIST || access(part, X_OK) == 0 else {
        return false
      }
    }
    return access(path, W_OK) == 0
  }

  private func entries() -> [Entry] {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let names = FolderNames.of(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard isSplit else { return entries(names, in: nil) }
    let parts = names.filter { $0.utf8.count == 2 && CacheFolder.isHexadecimal($0) }
    return parts.flatMap { entries(FolderNames.of(open("\(path)/\($0)", flags)), in: $0) }
  }

  /// Entries for those of `names` that are cached files of the folder `part`.
  private func entries(_ names: [String], in part: String?) -> [Entry] {
    let folder = locate(part)
    guard folder >= 0 else { return [] }
    defer { close(folder) }
    return names.compactMap { name in
      guard name.utf8.count == 64 + suffix.utf8.count, name.hasSuffix(suffix) else { return nil }
      let digest = String(name.prefix(64))
      guard CacheFolder.isDigest(digest), partName(digest) == part,
        let facts = CacheFolder.facts(name, in: folder)
      else { return nil }
      return Entry(digest: digest, size: Int64(facts.st_size), used: facts.modified)
    }
  }

  /// Removes unfinished files that nobody writes to any more.
  /// - Returns: bytes of those that stay.
  private func removeAbandoned() -> Int64 {
    let folder = locate(nil)
    guard folder >= 0 else { return 0 }
    defer { close(folder) }
    let old = time(nil) - patience
    var bytes: Int64 = 0
    for name in FolderNames.of(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    where name.hasPrefix(CacheFolder.unfinished) {
      guard let facts = CacheFolder.facts(name, in: folder) else { continue }
      let isAbandoned = facts.modified.tv_sec < old || CacheFolder.isUnlocked(name, in: folder)
      if !isAbandoned || unlinkat(folder, name, 0) != 0 {
        bytes = CacheFolder.sum(bytes, Int64(facts.st_size))
      }
    }
    return bytes
  }

  private func remove(_ digest: String) -> Bool {
    let folder = locate(partName(digest))
    guard folder >= 0 else { return false }
    defer { close(folder) }
    return unlinkat(folder, digest + suffix, 0) == 0
  }

  /// Whether no process writes to the file `name`: a writer keeps its file locked.
  private static func isUnlocked(_ name: String, in folder: Int32) -> Bool {
    let descriptor = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Facts about the regular file `name`; `nil` for anything else.
  private static func facts(_ name: String, in folder: Int32) -> stat? {
    var facts = stat()
    guard fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0,
      facts.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return facts
  }

  /// The sum of two sizes. Sparse files can state sizes whose sum doesn't fit.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, isTooLarge) = one.addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }

  private static func isHexadecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

/// A new file of a ``CacheFolder`` that isn't complete yet; it is removed in `deinit` unless it was placed.
///
/// The file is locked as long as this object lives, so that others can tell it from one that a killed process
/// left. The folder is held open: should it be moved meanwhile, the file moves with it.
package final class UnfinishedFile {
  private let cache: CacheFolder
  private let folder: Int32
  private let name: String
  private let descriptor: Int32
  private var isPending = true

  /// Takes over both descriptors: the folder's and the file's, which is called `name` in it.
  init(_ cache: CacheFolder, folder: Int32, name: String, descriptor: Int32) {
    self.cache = cache
    self.folder = folder
    self.name = name
    self.descriptor = descriptor
  }

  deinit {
    if isPending { unlinkat(folder, name, 0) }
    close(descriptor)
    close(folder)
  }

  /// Writes all of `bytes` at `offset`.
  /// - Returns: whether the disk took them.
  package func store(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    Descriptor.writeAll(bytes, to: descriptor, at: offset) == 0
  }

  /// Names the file for `digest`, replacing what is there; nothing can be written after that.
  /// - Returns: whether that was possible.
  package func place(as digest: String) -> Bool {
    guard isPending, CacheFolder.isDigest(digest) else { return false }
    var target = folder
    if let part = cache.partName(digest) {
      guard mkdirat(folder, part, 0o700) == 0 || errno == EEXIST else { return false }
      target = openat(folder, part, OpenFlags.locate | O_NOFOLLOW | O_CLOEXEC)
    }
    guard target >= 0 else { return false }
    defer { if target != folder { close(target) } }
    guard renameat(folder, name, target, digest + cache.suffix) == 0 else { return false }
    isPending = false
    return true
  }
}
