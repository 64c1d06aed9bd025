import AudioCore

/// A growing temporary file without a name; it is deleted when its last owner releases it.
///
/// It is in the folder `TMPDIR`, else in `/var/tmp`.
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
    // Where system and file system support it, the file never has a name that a killed process
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
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let moved = pwrite(descriptor, base + done, bytes.count - done, off_t(size))
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw TemporaryFile.failure(errno, "temporary file") }
      done += moved
      size += Int64(moved)
    }
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
