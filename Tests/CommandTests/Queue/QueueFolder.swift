// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A folder with three short files and the queues that tests write into it.
struct QueueFolder {
  let folder: TemporaryFolder

  /// `a.wav` and `c.wav` have 88,200 samples at 44.1 kHz, `b.wav` has 48,000 at 48 kHz.
  init() throws {
    folder = try TemporaryFolder()
    for (name, seconds, rate) in [("a", 2.0, 44_100), ("b", 1, 48_000), ("c", 2, 44_100)] {
      try TestProgramme.wav(channels: 2, seconds: seconds, rate: rate)
        .write(to: folder.url("\(name).wav"))
    }
  }

  /// Writes a queue file with `head` and these items, each one line of flow mapping.
  @discardableResult
  func queue(_ name: String, _ items: [String], head: String = "") throws -> String {
    let lines = items.map { "  - {\($0)}\n" }.joined()
    let text = "schema: pinna.queue/1\n\(head)items:\n\(lines)"
    try Data(text.utf8).write(to: folder.url(name))
    return folder.file(name)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url(name)), as: UTF8.self)
  }

  /// The JSON that `pinna queue` prints.
  func json(_ arguments: [String], status: Int32 = 0) async throws -> [String: Any] {
    let result = try await InProcess.run(["queue"] + arguments + ["--json"])
    #expect(result.status == status, "\(arguments): \(result.errors)")
    return try #require(JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }

  /// The items of `queue show`.
  func items(_ queue: String, _ extra: [String] = []) async throws -> [[String: Any]] {
    let shown = try await json(["show", queue] + extra)["queue"] as? [String: Any]
    return try #require(shown?["items"] as? [[String: Any]])
  }

  /// The rows of items that `queue show` prints, without the padding between columns.
  func rows(_ queue: String) async throws -> [String] {
    let shown = try await InProcess.run(["queue", "show", queue])
    #expect(shown.status == 0, "\(shown.errors)")
    let lines = String(decoding: shown.output, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst().prefix { !$0.isEmpty }.map { line in
      line.split(separator: " ").joined(separator: " ")
    }
  }

  /// Refusal by `pinna queue`, in one sentence.
  func refusal(_ arguments: [String], status: Int32) async throws -> String {
    let result = try await InProcess.run(["queue"] + arguments)
    #expect(result.status == status, "\(arguments): \(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.output.isEmpty)
    return result.errors
  }
}
