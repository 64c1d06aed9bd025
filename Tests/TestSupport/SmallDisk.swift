// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A small file system in memory, in an empty folder; unmounted when this object is released.
package final class SmallDisk {
  /// Mounting needs root and, in a container, a permission.
  package static let isPossible = (try? SmallDisk(kibibytes: 64)) != nil

  /// Path of the mount.
  package let path: String
  private let folder: TemporaryFolder

  /// A disk of `kibibytes`.
  /// - Throws: ``ToolFailure`` when this process may not mount one.
  package init(kibibytes: Int) throws {
    let folder = try TemporaryFolder()
    let options = "size=\(kibibytes)k,mode=700"
    let result = try Tool.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
    self.folder = folder
    path = folder.path
  }

  deinit { _ = try? Tool.run("umount", [path]) }

  /// Refuses all changes from now on.
  package func makeReadOnly() throws {
    let result = try Tool.run("mount", ["-o", "remount,ro", path])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
  }
}
