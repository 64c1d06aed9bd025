// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Matroska

/// Statements of Matroska on the order in which a file is played: ordered chapters, and segments that are linked with it
/// (RFC 9559, 17 and 20).
struct MatroskaEditions {
  /// The gap between two chapters that is inexact times, not an omission, in nanoseconds: 100 ms, as mpv's
  /// `--chapter-merge-threshold` has it.
  private static let slack: Int64 = 100_000_000

  /// Why the file alone, from beginning to end, isn't what it presents; `nil` where it is.
  private(set) var refusal: String?
  /// Whether another file is to be played in front of this one or after it (hard linking, 17).
  private(set) var hasNeighbour = false
  /// Chapters of the outermost level.
  private(set) var outermost = 0
  /// Chapters within chapters, in the order of their atoms.
  private(set) var nested: [ChapterInfo] = []

  /// The statements in the file's head.
  init(_ head: MatroskaHead) {
    hasNeighbour = head.info.hasNeighbour
    let editions = head.chapters?.editions ?? []
    refusal = MatroskaEditions.refusal(editions, in: head.info)
    let chapters = editions.flatMap(\.chapters)
    outermost = chapters.count
    nested = chapters.flatMap(MatroskaEditions.shown)
  }

  /// The chapters within `chapter` that players show: neither hidden nor switched off.
  private static func shown(within chapter: MatroskaChapters.Chapter) -> [ChapterInfo] {
    chapter.chapters.flatMap { inner in
      let info = ChapterInfo(
        start: inner.start, end: inner.end ?? inner.start, title: inner.titles.first?.text)
      return (inner.isHidden || !inner.isEnabled ? [] : [info]) + shown(within: inner)
    }
  }

  /// Why the edition that players take, the default one or the first (20), isn't the file from beginning to end.
  private static func refusal(
    _ editions: [MatroskaChapters.Edition], in info: MatroskaInfo
  ) -> String? {
    guard let edition = editions.first(where: \.isDefault) ?? editions.first, edition.isOrdered
    else { return nil }
    let chapters = edition.chapters.filter(\.isEnabled)
    let isLinked = chapters.contains {
      // A chapter may be linked with the file that it lies in.
      $0.segmentUUID.map { !$0.isEmpty && $0 != info.segmentUUID } ?? false
    }
    if isLinked { return "has ordered chapters whose sound lies in other files (linked segments)" }
    let length = info.duration.map { $0 * Double(info.timestampScale) }
    guard !chapters.isEmpty, !isWhole(chapters, length.flatMap { Int64(exactly: $0.rounded()) })
    else { return nil }
    return "has ordered chapters, which play parts of the file in an order of their own"
  }

  /// Whether `chapters` follow each other from the file's beginning to its end, after `length` nanoseconds.
  private static func isWhole(_ chapters: [MatroskaChapters.Chapter], _ length: Int64?) -> Bool {
    guard let length else { return false }
    var reached: Int64 = 0
    for chapter in chapters {
      // Ordered chapters must have an end.
      guard isNear(chapter.start.nanoseconds, reached), let end = chapter.end,
        end >= chapter.start
      else { return false }
      reached = end.nanoseconds
    }
    return reached >= length || isNear(reached, length)
  }

  private static func isNear(_ left: Int64, _ right: Int64) -> Bool {
    let (difference, isTooLarge) = left.subtractingReportingOverflow(right)
    return !isTooLarge && difference.magnitude <= UInt64(slack)
  }
}
