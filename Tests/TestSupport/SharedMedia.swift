// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Real media beside the checkout; machines that only have the repository lack them.
package enum SharedMedia {
  /// Folder of the media files, if it is here.
  package static let folder: String? = {
    let named = ProcessInfo.processInfo.environment["PINNA_MEDIA"]
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let beside = root.deletingLastPathComponent().appendingPathComponent("shared/media").path
    return [named, beside].compactMap { $0 }.first {
      FileManager.default.fileExists(atPath: $0 + "/README.md")
    }
  }()

  /// Whether the files are here.
  package static var isPresent: Bool { folder != nil }

  /// Path of one file.
  package static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name }

  /// The dense HRTF set, beside the package's folder or that folder's parent; `nil` when it isn't
  /// here.
  package static let hrtf: String? = beside("hrtf/sadie-ku100-dfc-48k.sofa")

  /// A file or folder of what lies beside the package's folder or that folder's parent; `nil` when it isn't
  /// here.
  package static func beside(_ name: String) -> String? {
    ["../../../shared", "../../../../shared"]
      .map { folder in
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appending(path: folder + "/" + name).standardizedFileURL.path
      }
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}
