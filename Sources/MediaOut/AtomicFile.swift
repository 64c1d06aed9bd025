import AudioCore
import Glibc

/// A file that appears at its path only when it is complete.
///
/// Content goes to a short-named temporary file in the target's folder, which is synced and renamed
/// over the target by ``commit()`` and removed in `deinit` otherwise.
public final class AtomicFile {
  /// Where the file will appear.
  public let target: String
  /// Where it is written meanwhile.
  public private(set) var temporary: String
  /// Open for reading and writing.
  public let descriptor: Int32
  private var isPending = true

  /// Creates the temporary file beside `target`.
  /// - Throws: ``MediaError`` of kind `outputExists`, `outputUnwritable`, `diskFull`.
  public init(target: String, overwrite: Bool) throws {
    self.target = target
    var facts = stat()
    if stat(target, &facts) == 0 {
      guard facts.st_mode & S_IFMT == S_IFREG else {
        throw MediaError(
          .outputUnwritable, "\(target): is not a regular file; give a file name or - for stdout")
      }
      guard overwrite else {
        throw MediaError(.outputExists, "\(target): exists already; add -y to replace it")
      }
    }
    var folder = AtomicFile.folder(of: target)
    if folder.isEmpty { folder = "." }
    let template = folder + (folder.hasSuffix("/") ? "" : "/") + ".pinna-XXXXXX"
    var name = Array(template.utf8CString)
    descriptor = name.withUnsafeMutableBufferPointer {
      $0.baseAddress.map { mkstemp($0) } ?? -1
    }
    let failure = errno
    temporary = name.withUnsafeBufferPointer {
      $0.baseAddress.map { String(cString: $0) } ?? template
    }
    guard descriptor >= 0 else {
      isPending = false
      throw OutputFailure.error(failure, target)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    AtomicFile.applyMode(descriptor, replacing: overwrite ? target : nil)
  }

  deinit {
    if isPending { unlink(temporary) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Syncs the content and renames it into place.
  /// - Throws: ``MediaError`` when the disk refuses; the target is then untouched.
  public func commit(overwrite: Bool) throws {
    guard fsync(descriptor) == 0 else { throw OutputFailure.error(errno, target) }
    if overwrite {
      guard rename(temporary, target) == 0 else { throw OutputFailure.error(errno, target) }
    } else {
      try place()
    }
    isPending = false
    AtomicFile.syncFolder(of: target)
  }

  /// Without permission to overwrite, a file that appeared meanwhile is not replaced either: a hard
  /// link never replaces. File systems without links fall back to a check and a rename.
  private func place() throws {
    if link(temporary, target) == 0 {
      unlink(temporary)
      return
    }
    let code = errno
    guard code == EPERM || code == EOPNOTSUPP || code == ENOSYS, access(target, F_OK) != 0,
      rename(temporary, target) == 0
    else { throw OutputFailure.error(code, target) }
  }

  /// mkstemp makes files private; give ours the mode that `open` would have given, or the mode of
  /// the file it replaces.
  private static func applyMode(_ descriptor: Int32, replacing target: String?) {
    var facts = stat()
    if let target, stat(target, &facts) == 0 {
      fchmod(descriptor, facts.st_mode & 0o777)
      return
    }
    fchmod(descriptor, 0o666 & ~processMask)
  }

  /// The process's umask can only be read by setting it, so it is read once.
  private static let processMask: mode_t = {
    let mask = umask(0)
    umask(mask)
    return mask
  }()

  private static func syncFolder(of target: String) {
    let folder = folder(of: target)
    let handle = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { return }
    fsync(handle)
    close(handle)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }
}
