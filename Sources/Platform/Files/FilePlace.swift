import AudioCore

/// The place that a path refers to, independent of its spelling: the folder's identity and the last
/// name.
package struct FilePlace: Hashable {
  private let device: UInt64
  private let folder: UInt64
  private let name: PathName

  /// Device and inode of an existing file; `nil` when there is none.
  package static func identity(_ path: String) -> [UInt64]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return [FilePlace.device(facts), UInt64(facts.st_ino)]
  }

  /// The place of `path`; a folder that can't be looked at keeps its spelling.
  package init(_ path: String) {
    var facts = stat()
    let isKnown = stat(PathParts.folder(of: path), &facts) == 0
    device = isKnown ? FilePlace.device(facts) : 0
    self.folder = isKnown ? UInt64(facts.st_ino) : 0
    name = PathName(isKnown ? PathParts.split(path).name : path)
  }

  /// The number of the device; on Darwin it has a sign.
  private static func device(_ facts: stat) -> UInt64 { UInt64(truncatingIfNeeded: facts.st_dev) }
}
