import AudioCore
import MediaOut
import Platform

/// Keeps two batches from working in the same output folder. Shards of one batch share it, but no two
/// runs of the same shard do.
///
/// Workers hold the lock, too: after a batch was killed the next one waits until they are gone.
package final class FolderLock: Sendable {
  /// Seconds to wait for workers of a batch that was killed.
  private static let patience = 5.0

  /// What is locked, also by the workers it is handed to.
  let descriptor: Int32
  private let folder: Int32

  /// Locks the output folder `root` for the whole batch or one shard of it; makes what it needs.
  /// - Throws: ``MediaError`` of kind `busy` when another batch works there.
  package init(root: String, shard: Shard?) throws {
    let own = LocalPath.joined(root, ResultStore.folderName)
    let code = FolderListing.make(LocalPath.joined(own, "shards"))
    guard code == 0 else { throw OutputFailure.error(code, root) }
    folder = try FolderLock.lock(own + "/lock", shard == nil ? LOCK_EX : LOCK_SH, root)
    do {
      descriptor =
        try shard.map { try FolderLock.lock("\(own)/shards/\($0.fileName).lock", LOCK_EX, root) }
        ?? folder
    } catch {
      close(folder)
      throw error
    }
  }

  deinit {
    if descriptor != folder { close(descriptor) }
    close(folder)
  }

  private static func lock(_ path: String, _ operation: Int32, _ root: String) throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputFailure.error(errno, path) }
    let end = WorkClock.wall + patience
    while flock(descriptor, operation | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      // On a file system without locks the batch works without protection.
      if code == ENOLCK || code == EOPNOTSUPP || code == ENOSYS { break }
      guard WorkClock.wall < end else {
        close(descriptor)
        throw MediaError(
          .busy, about: root,
          "another batch is at work there; wait for its end or give another folder")
      }
      usleep(20_000)
    }
    return descriptor
  }
}
