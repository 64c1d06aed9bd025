// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A folder for one program's own files; it is removed with everything in it when this object is released.
///
/// In the system's folder for temporary files, it is locked as long as its owner lives, so that the next process that
/// makes one there removes those of killed processes.
package final class ScratchFolder {
  package let path: String
  /// The locked folder; −1 for one in a folder of the caller's.
  private var lock: Int32 = -1
  /// Whether it is removed by this object.
  private var isOwned = true

  /// Beginning of the names of folders that are removed when nobody holds them.
  private static let mark = "pinna-scratch-"
  /// Letters that mkdtemp(3) replaces.
  private static let letters = "XXXXXX"

  /// A new empty folder that only this user may enter, where temporary files are.
  /// - Throws: ``MediaError`` of kind `diskFull`, `outOfResources` or `outputUnwritable`.
  package init() throws {
    let parent = TemporaryFile.folder
    ScratchFolder.removeAbandoned(in: parent)
    for _ in 0..<100 {
      let path = try ScratchFolder.make(parent + "/" + ScratchFolder.mark)
      let handle = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      let code = errno
      // Another process may have removed it as abandoned before it was locked.
      if handle < 0, code == ENOENT { continue }
      guard handle >= 0 else {
        rmdir(path)
        throw TemporaryFile.failure(code, path)
      }
      flock(handle, LOCK_EX | LOCK_NB)
      if access(path, F_OK) == 0 {
        self.path = path
        lock = handle
        return
      }
      // If the system can't say whether it is there still, another one is made.
      if errno != ENOENT { rmdir(path) }
      close(handle)
    }
    throw TemporaryFile.failure(EEXIST, parent)
  }

  /// A new empty folder that only this user may enter, in `parent`. A folder that is renamed stays.
  /// - Throws: as ``init()``.
  package init(in parent: String) throws { path = try ScratchFolder.make(parent + "/pinna-") }

  /// The locked folder at `path`, whose descriptor `lock` this process inherited by ``handOver()``; `nil` for a path that
  /// isn't such a folder's.
  package init?(path: String, lock: Int32) {
    guard PathParts.split(path).name.hasPrefix(ScratchFolder.mark) else { return nil }
    self.path = path
    self.lock = lock
    _ = fcntl(lock, F_SETFD, FD_CLOEXEC)
  }

  /// Leaves the folder to the program that this process becomes.
  /// - Returns: the descriptor that keeps it locked, which the program inherits.
  package func handOver() -> Int32 {
    let kept = fcntl(lock, F_DUPFD, 0)
    isOwned = false
    return kept
  }

  /// Takes the folder back, because this process became no other program.
  package func takeBack(_ kept: Int32) {
    close(kept)
    isOwned = true
  }

  // Listing the open folder needs no further descriptor, and closes it.
  deinit {
    if isOwned {
      ScratchFolder.remove(path, names: lock >= 0 ? FolderNames.of(lock) : nil)
    } else if lock >= 0 {
      close(lock)
    }
  }

  private static func make(_ beginning: String) throws -> String {
    var name = Array((beginning + letters).utf8CString)
    guard mkdtemp(&name) != nil else { throw TemporaryFile.failure(errno, beginning + letters) }
    return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  /// Removes this user's folders in `parent` that nobody holds.
  private static func removeAbandoned(in parent: String) {
    for name in FolderNames.of(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    where name.hasPrefix(mark) && name.utf8.count == mark.utf8.count + letters.utf8.count {
      let path = parent + "/" + name
      let handle = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard handle >= 0 else { continue }
      var facts = stat()
      if fstat(handle, &facts) == 0, facts.st_uid == geteuid(),
        flock(handle, LOCK_EX | LOCK_NB) == 0
      {
        remove(path)
      }
      close(handle)
    }
  }

  /// Removes `path` and everything in it, of which `names` is the list where it is known; links are removed, not
  /// followed.
  private static func remove(_ path: String, names: [String]? = nil) {
    // Folders can't be unlinked, and links are. Asking first what it is would be one more call that may fail.
    if unlink(path) == 0 || errno == ENOENT { return }
    for name in names ?? FolderNames.of(path: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}

/// A growing temporary file without a name; it is deleted when its last owner releases it.
///
/// The file is in the folder `TMPDIR`, else in `/var/tmp`.
package final class TemporaryFile {
  /// Bytes stored so far.
  package private(set) var size: Int64 = 0
  private var descriptor: Int32

  /// An empty file.
  /// - Throws: ``MediaError`` of kind `diskFull`, `outOfResources` or `outputUnwritable`.
  package init() throws { descriptor = try TemporaryFile.makeDescriptor() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The folder that temporary files are made in.
  package static var folder: String {
    let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return wanted.isEmpty ? "/var/tmp" : wanted
  }

  /// An open descriptor of a temporary file that has no name any more; the caller closes it.
  /// - Throws: ``MediaError`` as the initialiser.
  package static func makeDescriptor() throws -> Int32 {
    let folder = folder
    // If system and file system support it, the file never has a name that a killed process
    // could leave.
    let nameless = OpenFlags.nameless.map { open(folder, $0 | O_RDWR | O_CLOEXEC, 0o600) } ?? -1
    if nameless >= 0 { return nameless }
    var name = Array((folder + "/pinna-XXXXXX").utf8CString)
    let descriptor = name.withUnsafeMutableBufferPointer {
      $0.baseAddress.map { mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else { throw failure(errno, "temporary file in \(folder)") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = name.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
    return descriptor
  }

  /// Appends `bytes`.
  /// - Throws: ``MediaError`` of kind `diskFull`, `outOfResources` or `outputUnwritable`.
  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    let code = Descriptor.writeAll(bytes, to: descriptor, at: size)
    guard code == 0 else { throw TemporaryFile.failure(code, "temporary file") }
    size += Int64(bytes.count)
  }

  /// Drops everything from `length` on.
  /// - Throws: ``MediaError`` of kind `outputUnwritable`.
  package func truncate(to length: Int64) throws {
    guard ftruncate(descriptor, off_t(length)) == 0 else {
      throw TemporaryFile.failure(errno, "temporary file")
    }
    size = length
  }

  /// Hands the file over for reading as `name`; nothing can be appended after it.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`.
  package func sealed(name: String) throws -> LocalFile {
    let file = try LocalFile(descriptor: descriptor, name: name)
    descriptor = -1
    return file
  }

  /// The error for `code`, met while temporary files were made or written.
  static func failure(_ code: Int32, _ name: String) -> MediaError {
    let text = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT, EFBIG:
      return MediaError(
        .diskFull, about: name,
        "no space left to write it (\(text)); free some, or set TMPDIR to another folder")
    case EMFILE, ENFILE, ENOMEM:
      return MediaError(.outOfResources, about: name, "can't be written now (\(text)); try again")
    default:
      return MediaError(
        .outputUnwritable, about: name,
        "can't be written (\(text)); set TMPDIR to a folder that can")
    }
  }
}
