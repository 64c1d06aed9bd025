// SPDX-License-Identifier: Apache-2.0
import Foundation
import Settings
import TestSupport

/// A folder of user presets.
struct PresetFiles {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var library: PresetLibrary { PresetLibrary(folder: folder.path) }

  /// Saves a preset and answers its path.
  @discardableResult
  func write(_ name: String, _ yaml: String) throws -> String {
    try Data(yaml.utf8).write(to: folder.url(name + ".yaml"))
    return folder.file(name + ".yaml")
  }

  /// Saves any bytes.
  func write(_ name: String, bytes: Data) throws { try bytes.write(to: folder.url(name + ".yaml")) }
}
