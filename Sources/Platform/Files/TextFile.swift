import AudioCore

/// Small text files that appear completely or not at all.
package enum TextFile {
  /// Writes `text` to `path`, replacing what is there unless `overwrite` is off.
  /// - Throws: ``MediaError`` of kind `outputExists`, `outputUnwritable` or `diskFull`.
  package static func write(_ text: String, to path: String, overwrite: Bool = true) throws {
    let file = try AtomicFile(target: path, overwrite: overwrite)
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes {
        Glibc.write(file.descriptor, $0.baseAddress, $0.count)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw OutputFailure.error(errno, path) }
      bytes = bytes.dropFirst(written)
    }
    try file.commit(overwrite: overwrite)
  }
}
