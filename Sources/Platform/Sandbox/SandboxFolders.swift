// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Folders of outputs that weren't there: a sandbox can give rights only to what exists when it begins. Those that stay empty
/// are removed at the end, by the program that this process becomes.
package struct SandboxFolders {
  /// Name of the list in the scratch folder, whose paths end in a zero.
  private static let list = "/folders"

  package let made: [String]

  /// Makes those of `wanted` of which only the last level is missing.
  package init(_ wanted: PathSet) { made = wanted.filter(ParentFolder.make) }

  /// Leaves the list to the program that takes `scratch` over.
  /// - Throws: ``MediaError`` of kind `diskFull`, `outOfResources` or `outputUnwritable`.
  package func note(in scratch: ScratchFolder) throws {
    guard !made.isEmpty else { return }
    let path = scratch.path + SandboxFolders.list
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TemporaryFile.failure(errno, path) }
    defer { close(file) }
    let code = Descriptor.writeAll(made.flatMap { Array($0.utf8) + [0] }, to: file)
    guard code == 0 else { throw TemporaryFile.failure(code, path) }
  }

  /// Removes the folders that are still empty.
  package func removeEmpty() { made.forEach(ParentFolder.removeEmpty) }

  /// Removes the folders that are listed in `scratch` and still empty.
  package static func removeEmpty(notedIn scratch: ScratchFolder) {
    guard let file = try? LocalFile(path: scratch.path + list) else { return }
    for path in file.bytes(at: 0, count: Int(file.size)).split(separator: 0) {
      ParentFolder.removeEmpty(String(decoding: path, as: UTF8.self))
    }
  }
}
