/// What an open folder holds.
package enum FolderNames {
  /// The names in the folder at `path`, as ``of(_:)`` gives them; a link to a folder has none.
  package static func of(path: String) -> [String] {
    of(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
  }

  /// The names in the folder that `descriptor` was opened to read, in no certain order, without `.` and `..`.
  ///
  /// The descriptor is closed. A folder that can't be read has no names.
  package static func of(_ descriptor: Int32) -> [String] {
    guard descriptor >= 0 else { return [] }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
