// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// A folder of segment files that appears at its path only when it is complete.
///
/// Ranges of open files are copied into files of a hidden folder beside the target, which is
/// renamed into place by ``commit(overwrite:)`` and removed in `deinit` otherwise. A folder that is
/// replaced must hold nothing but segments: a folder with other files is refused.
package final class SegmentFolder {
  /// Path at which the folder will appear.
  package let target: String
  private let home: ParentFolder
  private var parent: Int32 { home.descriptor }
  private let name: String
  private let temporary: String
  private let folder: Int32
  private var isPending = true
  /// Files without names, which close with the folder.
  private var scratches: [Int32] = []

  /// Creates the hidden folder.
  /// - Throws: ``MediaError`` of kind `outputExists` or `outputUnwritable`.
  package init(target: String, overwrite: Bool) throws {
    name = PathParts.split(target).name
    self.target = target
    home = try ParentFolder(of: target, flags: O_RDONLY | O_DIRECTORY)
    try SegmentFolder.judge(name, in: home.descriptor, target, overwrite: overwrite)
    (temporary, folder) = try SegmentFolder.create(in: home.descriptor, target)
  }

  deinit {
    for scratch in scratches { close(scratch) }
    close(folder)
    if isPending { SegmentFolder.remove(temporary, in: parent) }
  }

  /// A file without a name on the same disk, open for reading and writing until the folder goes.
  package func scratch() throws -> Int32 {
    let descriptor = openat(folder, "scratch", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw OutputFailure.error(errno, target) }
    // With its name it would end up among the segments.
    guard unlinkat(folder, "scratch", 0) == 0 else {
      let code = errno
      close(descriptor)
      throw OutputFailure.error(code, target)
    }
    scratches.append(descriptor)
    return descriptor
  }

  /// Adds a file with the bytes `range` of `source`; a file of the same name is replaced.
  /// - Throws: ``MediaError`` when it can't be stored or `source` has fewer bytes.
  package func add(_ file: String, from source: Int32, range: Range<Int64>) throws {
    let path = "\(target)/\(file)"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = openat(folder, file, flags, 0o666)
    guard descriptor >= 0 else { throw OutputFailure.error(errno, path) }
    defer { close(descriptor) }
    var offset = range.lowerBound
    var bytes = [UInt8](repeating: 0, count: Int(min(1 << 20, range.upperBound - offset)))
    while offset < range.upperBound {
      let wanted = Int(min(Int64(bytes.count), range.upperBound - offset))
      let got = bytes.withUnsafeMutableBytes { room in
        room.baseAddress.map {
          Descriptor.readAll(source, into: $0, count: wanted, at: offset)
        } ?? 0
      }
      guard got >= 0 else { throw OutputFailure.error(Int32(-got), path) }
      guard got > 0 else { throw MediaError(.internal, about: path, "its bytes can't be read") }
      let code = bytes[..<got].withUnsafeBytes { Descriptor.writeAll($0, to: descriptor) }
      try OutputFailure.check(code, path)
      offset += Int64(got)
    }
    guard fsync(descriptor) == 0 else { throw OutputFailure.error(errno, path) }
  }

  /// Checks that nothing at the target keeps ``commit(overwrite:)`` from replacing it.
  package func checkFree(overwrite: Bool) throws {
    try SegmentFolder.judge(name, in: parent, target, overwrite: overwrite)
  }

  /// Puts the folder where it belongs; the one it replaces is removed.
  /// - Throws: ``MediaError`` when the disk refuses; the target is then untouched.
  package func commit(overwrite: Bool) throws {
    try checkFree(overwrite: overwrite)
    // The names in it are on the disk before it gets its own.
    guard fsync(folder) == 0 else { throw OutputFailure.error(errno, target) }
    let old = temporary + "-old"
    // The lock keeps other processes from removing the old folder as abandoned while it has its
    // temporary name.
    let held = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if held >= 0 { flock(held, LOCK_EX | LOCK_NB) }
    defer { if held >= 0 { close(held) } }
    if NameExchange.swap(temporary, name, in: parent) {
      isPending = false
      home.keep()
      fsync(parent)
      // Under the temporary name there is the old folder now.
      SegmentFolder.remove(temporary, in: parent)
      return
    }
    // Without such a step there is a moment in which neither folder has the name.
    let replaces = renameat(parent, name, parent, old) == 0
    guard renameat(parent, temporary, parent, name) == 0 else {
      let code = errno
      if replaces { renameat(parent, old, parent, name) }
      throw OutputFailure.error(code, target)
    }
    isPending = false
    home.keep()
    if replaces { SegmentFolder.remove(old, in: parent) }
    fsync(parent)
  }

  /// Whether a file in such a folder is one that Pinna writes there: `video-init.mp4`, `audio-00001.m4s`, and of further tracks
  /// `audio-2-00001.m4s` or `original-1-00001.m4s`.
  static func isSegment(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard let kind = parts.first, let last = parts.last,
      ["audio", "video", "original"].contains(kind),
      (2...3).contains(parts.count),
      parts.count == 2 || !parts[1].isEmpty && parts[1].allSatisfy(\.isNumber)
    else { return false }
    if last == "init.mp4" { return true }
    let number = last.dropLast(4)
    return last.hasSuffix(".m4s") && number.count >= 5 && number.allSatisfy(\.isNumber)
  }

  private static func judge(
    _ name: String, in parent: Int32, _ target: String, overwrite: Bool
  ) throws {
    var facts = stat()
    guard fstatat(parent, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    guard overwrite else { throw OutputPlace(target, overwrite: false).taken() }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      throw MediaError(
        .outputUnwritable, about: target, "isn't a folder, but segments have to go there; rename it"
      )
    }
    let other = names(in: name, parent).first { !isSegment($0) }
    guard let other else { return }
    throw MediaError(
      .outputExists, about: target,
      "holds \(other), which isn't a segment; move it away or give another output name")
  }

  private static func names(in folder: String, _ parent: Int32) -> [String] {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return FolderNames.of(openat(parent, folder, flags)).sorted()
  }

  /// Removes the folder `name` in the folder at `path`, whose owner was killed.
  /// - Returns: whether it is gone.
  static func removeAbandoned(_ name: String, in path: String) -> Bool {
    let parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return false }
    defer { close(parent) }
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return false }
    defer { close(folder) }
    guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return false }
    unlinkat(folder, "scratch", 0)
    remove(name, in: parent)
    return faccessat(parent, name, F_OK, 0) != 0
  }

  /// Removes a folder of segments; a folder with a file of any other name is kept.
  private static func remove(_ folder: String, in parent: Int32) {
    let descriptor = openat(parent, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    for name in names(in: folder, parent) where isSegment(name) { unlinkat(descriptor, name, 0) }
    close(descriptor)
    unlinkat(parent, folder, AT_REMOVEDIR)
  }

  private static func create(in parent: Int32, _ target: String) throws -> (String, Int32) {
    for _ in 0..<100 {
      let name = Abandoned.newName(for: PathParts.split(target).name)
      if mkdirat(parent, name, 0o777) == 0 {
        let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Locked as long as its owner lives, as the temporary files of AtomicFile are.
        if folder >= 0 {
          flock(folder, LOCK_EX | LOCK_NB)
          return (name, folder)
        }
        let code = errno
        // Another process removed it as abandoned before it could be opened.
        if code == ENOENT { continue }
        unlinkat(parent, name, AT_REMOVEDIR)
        throw OutputFailure.error(code, target)
      }
      guard errno == EEXIST else { break }
    }
    throw OutputFailure.error(errno, target)
  }
}

/// Puts a finished folder where an old one is.
enum NameExchange {
  /// Lets what is at `one` and at `other` change places, both named in the open folder `parent`: at no moment is a name
  /// missing.
  /// - Returns: whether it was done; `false` where one of them isn't there or the file system can't.
  static func swap(_ one: String, _ other: String, in parent: Int32 = AT_FDCWD) -> Bool {
    process_exchange_names(parent, one, other) == 0
  }
}

/// Puts a finished folder where another one may be.
package enum FolderReplacement {
  /// Gives the folder at `fresh` the path `target`. Its former content goes to `fresh` or to `old`, an empty folder on the same
  /// disk; the caller removes both. If the file system can exchange names, `target` is there at every moment.
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
