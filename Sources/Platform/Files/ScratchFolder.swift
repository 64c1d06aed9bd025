import AudioCore

/// A folder for one program's own files; it is removed with everything in it when this object is released.
package final class ScratchFolder {
  /// Its path.
  package let path: String

  /// A new empty folder that only this user may enter, in `parent` or where temporary files are. A folder that is renamed
  /// stays.
  /// - Throws: ``MediaError`` of kind `outOfResources`.
  package init(in parent: String = TemporaryFile.folder) throws {
    var name = Array("\(parent)/pinna-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw MediaError(
        .outOfResources, about: parent,
        "no folder can be made there (\(String(cString: strerror(errno)))); make room or set TMPDIR"
      )
    }
    path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit { ScratchFolder.remove(path) }

  /// Removes `path` and everything in it; links are removed, not followed.
  private static func remove(_ path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in FolderNames.of(path: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}
