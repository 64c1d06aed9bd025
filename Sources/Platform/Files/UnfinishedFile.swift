/// A new file of a ``CacheFolder`` that isn't complete yet; it is removed in `deinit` unless it was placed.
///
/// It is locked as long as this object lives, so that others can tell it from one that a killed process
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
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let moved = pwrite(descriptor, base + done, bytes.count - done, off_t(offset) + off_t(done))
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { return false }
      done += moved
    }
    return true
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
