// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The folder that an output appears in, held open. Its last level is made where only that is missing, and removed again
/// when nothing came of the output.
final class ParentFolder {
  let descriptor: Int32
  /// The folder that was made; `nil` for one that was there, and once something is in it to stay.
  private var made: String?

  /// Opens the folder of `target`.
  /// - Throws: ``MediaError`` of kind `outputUnwritable`.
  init(of target: String, flags: Int32) throws {
    let path = PathParts.folder(of: target)
    var (opened, code) = ParentFolder.opened(path, flags)
    if opened < 0, code == ENOENT {
      if ParentFolder.make(path) {
        made = path
      } else if errno != EEXIST {
        // The folder above may be there, but not writable.
        throw OutputFailure.error(errno, target)
      }
      // Another job may have made it at the same time.
      (opened, code) = ParentFolder.opened(path, flags)
    }
    guard opened >= 0 else {
      if let made { ParentFolder.removeEmpty(made) }
      throw OutputFailure.error(code, target)
    }
    descriptor = opened
  }

  deinit {
    close(descriptor)
    if let made { ParentFolder.removeEmpty(made) }
  }

  /// Makes the last level of `path`; whether it did. More levels are likely a disk that isn't mounted. `errno` is of `mkdir`.
  static func make(_ path: String) -> Bool { mkdir(path, 0o777) == 0 }

  /// Removes the folder at `path` unless something is in it by now.
  static func removeEmpty(_ path: String) { rmdir(path) }

  /// Notes that something in the folder stays.
  func keep() { made = nil }

  private static func opened(_ path: String, _ flags: Int32) -> (descriptor: Int32, code: Int32) {
    let descriptor = open(path, flags | O_CLOEXEC)
    return (descriptor, errno)
  }
}
