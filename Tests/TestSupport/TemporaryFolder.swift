// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder that is removed when this object is released.
package final class TemporaryFolder: Sendable {
  /// Absolute path.
  package let path: String

  /// A new empty folder.
  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("pinna-test-" + UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// URL of a file inside.
  package func url(_ name: String) -> URL {
    URL(fileURLWithPath: path).appendingPathComponent(name)
  }

  /// Path of a file inside.
  package func file(_ name: String) -> String { url(name).path }

  /// Names of everything inside, hidden files too, sorted.
  package var contents: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
