import AudioCore

/// Temporary files and folders that killed processes left behind.
///
/// Their names begin with a mark and a hash of the output that they were made for, and the process
/// that makes one keeps it locked as long as it lives. So a file can be removed when it isn't
/// locked and belongs to one of the caller's outputs.
package enum Abandoned {
  /// Length of a name: the mark, the target's eight digits, a dash and eight letters.
  private static let length = 24
  private static let mark = ".pinna-"
  /// What ends the name of a folder that is being replaced.
  private static let replaced = "-old"

  /// Removes what was left of the outputs `targets`.
  /// - Returns: how many there were.
  @discardableResult
  package static func remove(_ targets: [String]) -> Int {
    var removed = 0
    for (folder, targets) in Dictionary(
      grouping: targets, by: { PathName(PathParts.folder(of: $0)) })
    {
      let folder = folder.text
      let prefixes = Set(targets.map { prefix(PathParts.split($0).name) })
      for name in FolderNames.of(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        let plain = name.hasSuffix(replaced) ? String(name.dropLast(replaced.count)) : name
        guard plain.utf8.count == length, prefixes.contains(String(plain.prefix(length - 8))) else {
          continue
        }
        if removeUnlocked(name, in: folder) { removed += 1 }
      }
    }
    return removed
  }

  /// What temporary names for the target `name` begin with: a mark and the name's FNV-1a in eight
  /// digits.
  static func prefix(_ name: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return mark + String(repeating: "0", count: 8 - digits.count) + digits + "-"
  }

  private static func removeUnlocked(_ name: String, in folder: String) -> Bool {
    let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return false }
    if facts.st_mode & S_IFMT == S_IFDIR {
      return SegmentFolder.removeAbandoned(name, in: folder)
    }
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return false }
    return unlink(path) == 0
  }
}
