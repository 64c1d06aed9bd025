// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A path to write to, and whether what is there may be replaced.
package struct OutputPlace {
  private let path: String
  private let overwrite: Bool
  private let name: String?

  /// The place at `path`. Messages begin with `name`, such as `--plot x.svg:`, or without one are about the path.
  package init(_ path: String, overwrite: Bool, as name: String? = nil) {
    self.path = path
    self.overwrite = overwrite
    self.name = name
  }

  /// Whether something is there that may not be replaced.
  package var isTaken: Bool { !overwrite && access(path, F_OK) == 0 }

  /// Refuses a place where something is that may not be replaced.
  /// - Throws: ``MediaError`` of kind `outputExists`.
  package func checkFree() throws { if isTaken { throw taken() } }

  /// Refuses a place whose folder can't be written.
  /// - Throws: ``MediaError`` of kind `outputUnwritable`.
  package func checkFolder() throws {
    let folder = PathParts.folder(of: path)
    // A folder that is missing in one that is there will be made.
    let isMissing = access(folder, F_OK) != 0 && errno == ENOENT
    guard access(isMissing ? PathParts.folder(of: folder) : folder, W_OK) == 0 else {
      throw error(.outputUnwritable, "its folder can't be written; check the path")
    }
  }

  /// The error for a place where something is that may not be replaced. `what` goes on after "exists already", and `remedy`
  /// goes before the usual one.
  package func taken(_ what: String = "", remedy: String = "") -> MediaError {
    error(.outputExists, "exists already\(what); \(remedy)add \(setting: .overwrite) to replace it")
  }

  private func error(_ kind: MediaError.Kind, _ sentence: String) -> MediaError {
    name.map { MediaError(kind, "\($0) \(sentence)") } ?? MediaError(kind, about: path, sentence)
  }
}

/// A file that appears at its path only when it is complete.
///
/// Content goes to a short-named temporary file in the target's folder, which is synced and renamed
/// over the target by ``commit(overwrite:)`` and removed in `deinit` otherwise. The folder is held
/// open: should it be moved or renamed meanwhile, both files move with it.
///
/// The temporary file is locked as long as its owner lives, and its name holds a hash of the
/// target's, so that ``Abandoned`` knows what a killed process left behind.
///
/// A symbolic link at the target counts as an existing file, even when its destination is missing:
/// overwriting replaces the link itself and leaves its destination unchanged.
package final class AtomicFile {
  /// Path at which the file will appear.
  package let target: String
  /// Open for reading and writing.
  package let descriptor: Int32
  private let parent: ParentFolder
  private var folder: Int32 { parent.descriptor }
  private let name: String
  private let temporary: String
  private var isPending = true

  /// Path of the content until ``commit(overwrite:)``, for programs that read it by its path.
  package var temporaryPath: String {
    PathParts.start(of: PathParts.folder(of: target)) + temporary
  }

  /// Creates the temporary file beside `target`, and the folder where only that is missing.
  /// - Throws: ``MediaError`` of kind `outputExists`, `outputUnwritable`, `diskFull`.
  package init(target: String, overwrite: Bool) throws {
    let name = PathParts.split(target).name
    // A folder may be writable but not readable, so it is only located.
    let parent = try ParentFolder(of: target, flags: OpenFlags.locate)
    let mode = try AtomicFile.judge(name, in: parent.descriptor, target, overwrite: overwrite)
    (descriptor, temporary) = try AtomicFile.create(name, in: parent.descriptor, target)
    fchmod(descriptor, mode)
    self.target = target
    self.parent = parent
    self.name = name
  }

  deinit {
    if isPending { unlinkat(folder, temporary, 0) }
    close(descriptor)
  }

  /// Syncs the content and renames it into place.
  /// - Throws: ``MediaError`` when the disk refuses; the target is then untouched.
  package func commit(overwrite: Bool) throws {
    guard fsync(descriptor) == 0 else { throw OutputFailure.error(errno, target) }
    if overwrite {
      guard renameat(folder, temporary, folder, name) == 0 else {
        throw OutputFailure.error(errno, target)
      }
    } else {
      try place()
    }
    isPending = false
    parent.keep()
    syncFolder()
  }

  /// Without permission to overwrite, a file that appeared meanwhile is not replaced either: a hard
  /// link never replaces. File systems without links fall back to a check and a rename.
  private func place() throws {
    if linkat(folder, temporary, folder, name, 0) == 0 {
      unlinkat(folder, temporary, 0)
      return
    }
    let code = errno
    var facts = stat()
    guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(code),
      fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0,
      renameat(folder, temporary, folder, name) == 0
    else { throw OutputFailure.error(code, target) }
  }

  private func syncFolder() {
    let handle = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { return }
    fsync(handle)
    close(handle)
  }

  /// Checks whether an existing file at the target may be replaced.
  /// - Returns: the mode for the new file: that of the file it replaces, or what `open` would give.
  private static func judge(
    _ name: String, in folder: Int32, _ target: String, overwrite: Bool
  ) throws -> mode_t {
    let special = MediaError(
      .outputUnwritable, about: target, "is not a regular file; give a file name or - for stdout")
    guard !name.isEmpty else { throw special }
    var facts = stat()
    guard fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw OutputFailure.error(errno, target) }
      return 0o666 & ~processMask
    }
    let isLink = facts.st_mode & S_IFMT == S_IFLNK
    let leadsNowhere = isLink && fstatat(folder, name, &facts, 0) != 0
    guard leadsNowhere || facts.st_mode & S_IFMT == S_IFREG else { throw special }
    guard overwrite else { throw OutputPlace(target, overwrite: false).taken() }
    return leadsNowhere ? 0o666 & ~processMask : facts.st_mode & 0o777
  }

  /// A file with a unique name that only its owner can read.
  private static func create(
    _ name: String, in folder: Int32, _ target: String
  ) throws -> (Int32, String) {
    for _ in 0..<100 {
      let temporary = Abandoned.newName(for: name)
      let descriptor = openat(folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        guard errno == EEXIST else { break }
        continue
      }
      // On a file system without locks, `Abandoned` can't lock the file either and leaves it alone.
      flock(descriptor, LOCK_EX | LOCK_NB)
      var facts = stat()
      guard fstat(descriptor, &facts) == 0 else {
        let code = errno
        unlinkat(folder, temporary, 0)
        close(descriptor)
        throw OutputFailure.error(code, target)
      }
      // Another process may have removed it as abandoned before it was locked.
      if facts.st_nlink > 0 { return (descriptor, temporary) }
      close(descriptor)
    }
    throw OutputFailure.error(errno, target)
  }

  /// The process's umask can only be read by setting it, so it is read once.
  private static let processMask: mode_t = {
    let mask = umask(0)
    umask(mask)
    return mask
  }()
}

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
    try OutputFailure.check(Descriptor.writeAll(Array(text.utf8), to: file.descriptor), path)
    try file.commit(overwrite: overwrite)
  }
}

/// Temporary files and folders that killed processes left behind.
///
/// Their names begin with a mark and a hash of the output that they were made for, and the process
/// that makes one keeps it locked as long as it lives. So a file can be removed when it isn't
/// locked and belongs to one of the caller's outputs.
package enum Abandoned {
  /// Length of a name: the mark, the target's eight digits, a dash and eight letters.
  private static let length = 24
  private static let mark = ".pinna-"
  /// End of the name of a folder that is being replaced.
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

  /// A name for a temporary file or folder of the target `name`, which nothing else is likely to have.
  static func newName(for name: String) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return prefix(name) + String((0..<8).compactMap { _ in letters.randomElement() })
  }

  /// Beginning of temporary names for the target `name`: a mark and the name's FNV-1a in eight
  /// digits.
  private static func prefix(_ name: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return mark + hash.hexadecimal(8) + "-"
  }

  private static func removeUnlocked(_ name: String, in folder: String) -> Bool {
    let path = PathParts.start(of: folder) + name
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
