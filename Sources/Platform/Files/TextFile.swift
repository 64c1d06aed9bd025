import AudioCore

/// Small text files that appear completely or not at all.
package enum TextFile {
  /// Writes `text` to `path`, replacing what is there unless `overwrite` is off.
  /// - Throws: ``MediaError`` of kind `outputExists`, `outputUnwritable` or `diskFull`.
  package static func write(_ text: String, to path: String, overwrite: Bool = true) throws {
    let file = try AtomicFile(target: path, overwrite: overwrite)
    let code = Descriptor.writeAll(Array(text.utf8), to: file.descriptor)
    guard code == 0 else { throw OutputFailure.error(code, path) }
    try file.commit(overwrite: overwrite)
  }
}
