import AudioCore

/// A file that appears at its path only when it is complete.
///
/// Content goes to a short-named temporary file in the target's folder, which is synced and renamed
/// over the target by ``commit(overwrite:)`` and removed in `deinit` otherwise. The folder is held
/// open: should it be moved or renamed meanwhile, both files move with it.
///
/// The temporary file is locked as long as its owner lives, and its name holds a hash of the
/// target's, so that ``Abandoned`` knows what a killed process left behind.
///
/// A symbolic link at the target counts as an existing file, even when its destination is missing:
/// overwriting replaces the link itself and leaves its destination unchanged.
package final class AtomicFile {
  /// Where the file will appear.
  package let target: String
  /// Open for reading and writing.
  package let descriptor: Int32
  private let folder: Int32
  private let name: String
  private let temporary: String
  private var isPending = true

  /// Creates the temporary file beside `target`.
  /// - Throws: ``MediaError`` of kind `outputExists`, `outputUnwritable`, `diskFull`.
  package init(target: String, overwrite: Bool) throws {
    let name = PathParts.split(target).name
    // A folder may be writable but not readable, so it is only located.
    let folder = open(PathParts.folder(of: target), OpenFlags.locate | O_CLOEXEC)
    guard folder >= 0 else { throw OutputFailure.error(errno, target) }
    do {
      let mode = try AtomicFile.judge(name, in: folder, target, overwrite: overwrite)
      (descriptor, temporary) = try AtomicFile.create(name, in: folder, target)
      fchmod(descriptor, mode)
    } catch {
      close(folder)
      throw error
    }
    self.target = target
    self.folder = folder
    self.name = name
  }

  deinit {
    if isPending { unlinkat(folder, temporary, 0) }
    close(descriptor)
    close(folder)
  }

  /// Syncs the content and renames it into place.
  /// - Throws: ``MediaError`` when the disk refuses; the target is then untouched.
  package func commit(overwrite: Bool) throws {
    guard fsync(descriptor) == 0 else { throw OutputFailure.error(errno, target) }
    if overwrite {
      guard renameat(folder, temporary, folder, name) == 0 else {
        throw OutputFailure.error(errno, target)
      }
    } else {
      try place()
    }
    isPending = false
    syncFolder()
  }

  /// Without permission to overwrite, a file that appeared meanwhile is not replaced either: a hard
  /// link never replaces. File systems without links fall back to a check and a rename.
  private func place() throws {
    if linkat(folder, temporary, folder, name, 0) == 0 {
      unlinkat(folder, temporary, 0)
      return
    }
    let code = errno
    var facts = stat()
    guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(code),
      fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0,
      renameat(folder, temporary, folder, name) == 0
    else { throw OutputFailure.error(code, target) }
  }

  private func syncFolder() {
    let handle = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { return }
    fsync(handle)
    close(handle)
  }

  /// Checks whether an existing file at the target may be replaced.
  /// - Returns: the mode for the new file: that of the file it replaces, or what `open` would give.
  private static func judge(
    _ name: String, in folder: Int32, _ target: String, overwrite: Bool
  ) throws -> mode_t {
    let special = MediaError(
      .outputUnwritable, about: target, "is not a regular file; give a file name or - for stdout")
    guard !name.isEmpty else { throw special }
    var facts = stat()
    guard fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw OutputFailure.error(errno, target) }
      return 0o666 & ~processMask
    }
    let isLink = facts.st_mode & S_IFMT == S_IFLNK
    let leadsNowhere = isLink && fstatat(folder, name, &facts, 0) != 0
    guard leadsNowhere || facts.st_mode & S_IFMT == S_IFREG else { throw special }
    guard overwrite else {
      throw MediaError(
        .outputExists, about: target, "exists already; add \(setting: .overwrite) to replace it")
    }
    return leadsNowhere ? 0o666 & ~processMask : facts.st_mode & 0o777
  }

  /// A file with a unique name that only its owner can read.
  private static func create(
    _ name: String, in folder: Int32, _ target: String
  ) throws -> (Int32, String) {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    for _ in 0..<100 {
      let temporary =
        Abandoned.prefix(name) + String((0..<8).compactMap { _ in letters.randomElement() })
      let descriptor = openat(folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        guard errno == EEXIST else { break }
        continue
      }
      // On a file system without locks, `Abandoned` can't lock the file either and leaves it alone.
      flock(descriptor, LOCK_EX | LOCK_NB)
      var facts = stat()
      guard fstat(descriptor, &facts) == 0 else {
        let code = errno
        unlinkat(folder, temporary, 0)
        close(descriptor)
        throw OutputFailure.error(code, target)
      }
      // Another process may have removed it as abandoned before it was locked.
      if facts.st_nlink > 0 { return (descriptor, temporary) }
      close(descriptor)
    }
    throw OutputFailure.error(errno, target)
  }

  /// The process's umask can only be read by setting it, so it is read once.
  private static let processMask: mode_t = {
    let mask = umask(0)
    umask(mask)
    return mask
  }()
}
