import AudioCore

/// Small text files that appear completely or not at all.
package enum TextFile {
  /// Writes `text` to `path`, replacing what is there unless `overwrite` is off. Temporary files that killed
  /// processes left of it are removed. A search for them reads the whole folder: `removesAbandoned` is off
  /// where thousands of files are written, whose writer calls ``Abandoned`` once for all.
  /// - Throws: ``MediaError`` of kind `outputExists`, `outputUnwritable` or `diskFull`.
  package static func write(
    _ text: String, to path: String, overwrite: Bool = true, removesAbandoned: Bool = true
  ) throws {
    if removesAbandoned { Abandoned.remove([path]) }
    let file = try AtomicFile(target: path, overwrite: overwrite)
    let code = Descriptor.writeAll(Array(text.utf8), to: file.descriptor)
    guard code == 0 else { throw OutputFailure.error(code, path) }
    try file.commit(overwrite: overwrite)
  }
}
