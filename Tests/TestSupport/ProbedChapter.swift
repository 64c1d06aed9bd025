// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A chapter as ffprobe reads it.
package struct ProbedChapter: Equatable, Sendable {
  /// When it begins, in ticks of ``rate``.
  package let start: Int64
  /// Ticks a second.
  package let rate: Int64
  /// Its title; empty for none.
  package let title: String

  /// A chapter of these values.
  package init(start: Int64, rate: Int64, title: String) {
    self.start = start
    self.rate = rate
    self.title = title
  }

  /// All chapters of the file at `path`.
  package static func all(_ path: String) throws -> [ProbedChapter] {
    struct Output: Decodable {
      struct Chapter: Decodable {
        let time_base: String
        let start: Int64
        let tags: [String: String]?
      }
      let chapters: [Chapter]
    }
    let result = try Tool.run(
      "ffprobe", ["-v", "error", "-show_chapters", "-of", "json", path])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
    return try JSONDecoder().decode(Output.self, from: result.output).chapters.map { chapter in
      let base = chapter.time_base.split(separator: "/").compactMap { Int64($0) }
      guard base.count == 2, base[0] == 1 else { throw ToolFailure(text: chapter.time_base) }
      return ProbedChapter(
        start: chapter.start, rate: base[1], title: chapter.tags?["title"] ?? "")
    }
  }
}
