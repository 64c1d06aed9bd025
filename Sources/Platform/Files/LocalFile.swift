// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Synchronization

/// A regular local file opened for reading; the descriptor is closed in `deinit`.
///
/// FIFOs, devices and directories are refused before any byte is read, so that opening never hangs.
package final class LocalFile {
  /// Path by which the file was opened.
  package let path: String
  /// Bytes at the time of opening, without those that are left out.
  package let size: Int64
  /// Open for reading as long as this object lives.
  package let descriptor: Int32
  /// The bytes that are left out, by their places on the disk: reading passes over them.
  private let gaps: [Range<Int64>]
  /// Whether bytes of the file follow those that are kept.
  package private(set) var isFollowed = false
  private let identity: stat
  /// The errno of the last read by ``bytes(at:count:)`` that failed; 0 for none.
  private let failure = Atomic<Int32>(0)
  private let failedReads = Atomic<Bool>(false)
  /// Whether any read failed, also one that was tried again and succeeded.
  package var hasFailed: Bool { failedReads.load(ordering: .relaxed) }

  /// Opens the regular file at `path`.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable` or `outOfResources`.
  package init(path: String) throws {
    self.path = path
    let handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard handle >= 0 else { throw LocalFile.openFailure(path, errno) }
    var facts = stat()
    guard fstat(handle, &facts) == 0 else {
      let code = errno
      close(handle)
      throw LocalFile.openFailure(path, code)
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      close(handle)
      throw MediaError(
        .inputUnreadable, about: path,
        "not a regular file; give a media file or - for standard input")
    }
    descriptor = handle
    identity = facts
    gaps = []
    size = Int64(facts.st_size)
  }

  /// Bytes that are left out.
  package var leftOut: Int { gaps.reduce(0) { $0 + $1.count } }

  /// A file without the bytes of `range`, which lies inside `file`.
  /// - Throws: ``MediaError`` of kind `outOfResources` when there are no more descriptors.
  package init(_ file: LocalFile, without range: Range<Int64>) throws {
    path = file.path
    let handle = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard handle >= 0 else { throw LocalFile.openFailure(path, errno) }
    descriptor = handle
    identity = file.identity
    let lower = file.place(of: range.lowerBound).byte
    let left = range.isEmpty ? lower..<lower : lower..<file.place(of: range.upperBound - 1).byte + 1
    let others = file.gaps.filter { !left.contains($0.lowerBound) }
    gaps = (others + [left]).sorted { $0.lowerBound < $1.lowerBound }
    size = file.size - Int64(range.count)
  }

  /// The bytes `range` of the same file, inside it, as a file of their own.
  /// - Throws: ``MediaError`` of kind `outOfResources` when there are no more descriptors.
  package convenience init(_ file: LocalFile, keeping range: Range<Int64>) throws {
    let front = try LocalFile(file, without: range.upperBound..<file.size)
    try self.init(front, without: 0..<range.lowerBound)
    isFollowed = file.isFollowed || range.upperBound < file.size
  }

  /// The place of the byte at `offset` on the disk, and how many follow it before the next ones that are left out.
  private func place(of offset: Int64) -> (byte: Int64, run: Int64) {
    var byte = offset
    for gap in gaps {
      if byte < gap.lowerBound { return (byte, gap.lowerBound - byte) }
      byte += Int64(gap.count)
    }
    return (byte, .max)
  }

  /// Takes over an open descriptor of a regular file; when this fails, the descriptor stays the caller's.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` or `outOfResources`.
  package init(descriptor: Int32, name: String) throws {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw LocalFile.openFailure(name, errno) }
    path = name
    self.descriptor = descriptor
    identity = facts
    gaps = []
    size = Int64(facts.st_size)
  }

  deinit { close(descriptor) }

  /// Reads up to `count` bytes at `offset`; returns the number read, 0 at the end, −errno on
  /// failure.
  package func read(into target: UnsafeMutableRawPointer, count: Int, at offset: Int64) -> Int {
    // A read that reaches the bytes left out ends there; the next one begins after them.
    let (place, run) = place(of: offset)
    let count = Int(min(Int64(count), run))
    while true {
      let got = pread(descriptor, target, count, off_t(place))
      if got >= 0 { return got }
      guard errno == EINTR else {
        let code = errno
        failedReads.store(true, ordering: .relaxed)
        return -Int(code)
      }
    }
  }

  /// The bytes as readers of containers take them; this object lives as long as they do.
  package var source: ByteSource { ByteSource(size: size, fetch: bytes) }

  /// Up to `count` bytes at `offset`; fewer at the end of the file, and where the disk fails, which ``checkReads()``
  /// tells.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard count > 0, offset >= 0, offset < size else { return [] }
    let wanted = Int(min(Int64(count), size - offset))
    return [UInt8](unsafeUninitializedCapacity: wanted) { target, filled in
      guard let base = target.baseAddress else { return }
      while filled < wanted {
        let got = read(into: base + filled, count: wanted - filled, at: offset + Int64(filled))
        if got < 0 { failure.store(Int32(-got), ordering: .relaxed) }
        if got <= 0 { break }
        filled += got
      }
    }
  }

  /// Whether nothing but zeros follows byte `offset`, and at least one.
  package func isZero(from offset: Int64) -> Bool {
    guard (0..<size).contains(offset) else { return false }
    let step = 65_536
    return stride(from: offset, to: size, by: step).allSatisfy { place in
      bytes(at: place, count: step).allSatisfy { $0 == 0 }
    }
  }

  /// Makes sure that no read by ``bytes(at:count:)`` failed. Conclusions from fewer bytes don't count.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`.
  package func checkReads() throws {
    let code = failure.load(ordering: .relaxed)
    guard code != 0 else { return }
    throw MediaError(
      .inputUnreadable, about: path,
      "reading failed (\(String(cString: strerror(code)))); check the disk")
  }

  /// All bytes of the file.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when they can't be read.
  package func wholeContent() throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: Int(size)) { target, filled in
      guard let base = target.baseAddress else { return }
      while filled < Int(size) {
        let got = read(into: base + filled, count: Int(size) - filled, at: Int64(filled))
        guard got >= 0 else { throw LocalFile.openFailure(path, Int32(-got)) }
        if got == 0 { break }
        filled += got
      }
    }
  }

  /// Identity that the system stated when the file was opened.
  package var openedIdentity: FileIdentity { FileIdentity(identity) }

  /// Identity that the system states now; `nil` when it can't be asked.
  package var currentIdentity: FileIdentity? {
    var now = stat()
    return fstat(descriptor, &now) == 0 ? FileIdentity(now) : nil
  }

  /// Whether size, inode or modification time differ from when the file was opened.
  package var hasChanged: Bool {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return true }
    return now.st_size != identity.st_size || now.st_ino != identity.st_ino
      || now.modified.tv_sec != identity.modified.tv_sec
      || now.modified.tv_nsec != identity.modified.tv_nsec
  }

  /// The file's path without links; `nil` where the system doesn't state it.
  package var place: String? {
    var room = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = room.withUnsafeMutableBytes { LocalFile.writePath(of: descriptor, to: $0) }
    return count > 0 ? String(decoding: room[..<count], as: UTF8.self) : nil
  }

  /// Writes the path of what `descriptor` refers to.
  /// - Returns: its length in bytes; 0 or less when the system doesn't state it.
  private static func writePath(
    of descriptor: Int32, to room: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let base = room.assumingMemoryBound(to: CChar.self).baseAddress else { return 0 }
    #if canImport(Darwin)
      return fcntl(descriptor, F_GETPATH, base) == 0 ? strlen(base) : 0
    #else
      return readlink("/proc/self/fd/\(descriptor)", base, room.count)
    #endif
  }

  /// Whether `path` is the same file, also through hard or symbolic links.
  package func isSameFile(as path: String) -> Bool {
    var other = stat()
    return stat(path, &other) == 0 && other.st_ino == identity.st_ino
      && other.st_dev == identity.st_dev
  }

  /// The error for `code`, met while the input `path` was opened or looked at.
  package static func openFailure(_ path: String, _ code: Int32) -> MediaError {
    if let refusal = Sandbox.readRefusal(path, code) {
      return MediaError(.inputUnreadable, about: path, refusal)
    }
    switch code {
    case ENOENT, ENOTDIR:
      // Bytes that aren't UTF-8 are read as this character.
      let isOdd = path.unicodeScalars.contains("\u{FFFD}")
      return MediaError(
        .inputMissing, about: path,
        isOdd
          ? "no such file, or one whose name isn't UTF-8; rename it"
          : "no such file; check the path")
    case EMFILE, ENFILE, ENOMEM:
      return MediaError(
        .outOfResources, about: path,
        "can't be opened (\(String(cString: strerror(code)))); try again")
    default:
      return MediaError(
        .inputUnreadable, about: path,
        "can't be opened (\(String(cString: strerror(code)))); check path and permissions")
    }
  }
}

/// The facts of the system about a file that change whenever the file's content does.
///
/// Content that is changed twice within the resolution of the system's times, with the size kept, can't be seen;
/// see ``isSettled(at:)``.
package struct FileIdentity: Hashable, Sendable {
  /// Device, inode, size in bytes, and the times of the last change of the content and of the file, each in
  /// seconds and nanoseconds.
  package let numbers: [Int64]

  /// How many numbers there are.
  package static let count = 7

  init(_ facts: stat) {
    numbers = [
      Int64(truncatingIfNeeded: facts.st_dev), Int64(truncatingIfNeeded: facts.st_ino),
      Int64(facts.st_size), Int64(facts.modified.tv_sec), Int64(facts.modified.tv_nsec),
      Int64(facts.changed.tv_sec), Int64(facts.changed.tv_nsec),
    ]
  }

  /// An identity of ``count`` numbers that were stored; `nil` for another number.
  package init?(numbers: [Int64]) {
    guard numbers.count == FileIdentity.count else { return nil }
    self.numbers = numbers
  }

  /// Whether both times were more than two seconds before `now`, in seconds of the system's clock: the next
  /// change then gets another time on every file system. FAT counts in steps of two seconds.
  package func isSettled(at now: Int) -> Bool {
    let latest = max(numbers[3], numbers[5])
    return latest < Int64(now) - 2
  }
}

extension stat {
  /// When the content was last changed. The field has another name on each system.
  package var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }

  /// When content, name or permissions were last changed.
  package var changed: timespec {
    #if canImport(Darwin)
      st_ctimespec
    #else
      st_ctim
    #endif
  }
}
