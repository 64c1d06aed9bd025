// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The Python of the virtual environment that `make setup-test` makes, with the packages that tests need.
package enum TestPython {
  /// Path of the interpreter, which may be missing.
  package static let path = root + "/.build/test-venv/bin/python"

  /// Path of the interpreter that has the EBU ADM Renderer, which may be missing: the renderer wants other
  /// versions of packages than the rest.
  package static let renderer = root + "/.build/ear-venv/bin/python"

  /// Whether the EBU ADM Renderer is there.
  package static let hasRenderer =
    (try? Tool.run(renderer, ["-c", "import ear.fileio"]))?.status == 0

  /// Folder of the checkout.
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Whether the interpreter is there and has `packages`.
  package static func has(_ packages: String...) -> Bool {
    let found = try? Tool.run(path, ["-c", "import " + packages.joined(separator: ", ")])
    return found?.status == 0
  }
}
