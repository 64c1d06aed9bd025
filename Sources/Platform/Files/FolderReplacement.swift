import AudioCore

/// Puts a finished folder where another one may be.
package enum FolderReplacement {
  /// Gives the folder at `fresh` the path `target`. What is there goes to `fresh` or to `old`, an empty folder on the same
  /// disk; the caller removes both. Where the file system can exchange names, `target` is there at every moment.
  /// - Throws: ``MediaError`` when the disk refuses; `target` is then as it was.
  package static func put(_ fresh: String, at target: String, orMovingOldTo old: String) throws {
    if NameExchange.swap(fresh, target) { return }
    let isReplaced = rename(target, old) == 0
    guard isReplaced || errno == ENOENT else { throw OutputFailure.error(errno, target) }
    guard rename(fresh, target) == 0 else {
      let code = errno
      if isReplaced { rename(old, target) }
      throw OutputFailure.error(code, target)
    }
  }
}
