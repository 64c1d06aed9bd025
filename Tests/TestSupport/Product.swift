// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The built command line, run as a user would.
package enum Product {
  /// Path of the `pinna` binary beside the test bundle, or in the release folder.
  package static let path = program("pinna") ?? "pinna"

  /// Path of a program of the package, beside the test bundle or in the release folder; `nil` where it isn't built.
  package static func program(_ name: String) -> String? {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    let beside = bundles.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name).path
    }
    let candidates = beside + [root + "/.build/release/\(name)"]
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs `pinna` with `arguments`; nothing is kept in the user's folders.
  /// - Throws: ``ToolFailure`` when JSON that it wrote isn't as its schema says.
  package static func run(
    _ arguments: [String], input: Data? = nil, environment: [String: String] = [:]
  ) throws -> Tool.Result {
    let before = ProducedJSON.report(arguments)
    let own = ["PINNA_CACHE": "off"].merging(environment) { $1 }
    let result = try Tool.run(path, arguments, input: input, environment: own)
    try ProducedJSON.check(result, arguments, before: before)
    return result
  }
}
