import AudioCore
import LibAV
import Platform

/// Statements of Matroska on the order in which a file is played: ordered chapters, and segments that are linked with it
/// (RFC 9559, 17 and 20).
struct MatroskaEditions {
  /// One chapter of the outermost level, in nanoseconds.
  private struct Chapter {
    let start: Int64
    let end: Int64?
    /// Whether its sound lies in another file.
    let isElsewhere: Bool
  }

  private enum ID {
    static let edition: UInt32 = 0x45B9
    static let atom: UInt32 = 0xB6
  }

  /// Levels of chapters that are read; discs have two or three.
  private static let deepest = 16

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
  init(_ parts: MatroskaParts) {
    let info = MatroskaElement.all(in: parts.info)
    hasNeighbour = info.contains { $0.id == 0x3CB923 || $0.id == 0x3EB923 }
    let scale = info.first { $0.id == 0x2AD7B1 }?.number ?? 1_000_000
    let length = info.first { $0.id == 0x4489 }?.float.map { $0 * Double(scale) }
    let segment = info.first { $0.id == 0x73A4 }?.body
    let editions = MatroskaElement.all(in: parts.chapters)
    refusal = MatroskaEditions.refusal(
      editions, segment: segment, length: length.flatMap { Int64(exactly: $0.rounded()) })
    let atoms = editions.filter { $0.id == ID.edition }.flatMap {
      MatroskaElement.all(in: $0.body).filter { $0.id == ID.atom }
    }
    outermost = atoms.count
    for atom in atoms { noteNested(in: atom, depth: 1) }
  }

  /// Notes the chapters within `atom`, which lies `depth` levels deep.
  private mutating func noteNested(in atom: MatroskaElement, depth: Int) {
    guard depth < MatroskaEditions.deepest else { return }
    for inner in MatroskaElement.all(in: atom.body) where inner.id == ID.atom {
      if let chapter = MatroskaEditions.info(inner) { nested.append(chapter) }
      noteNested(in: inner, depth: depth + 1)
    }
  }

  /// The chapter that players show of an atom; `nil` for one that is hidden, switched off, or has no time.
  private static func info(_ atom: MatroskaElement) -> ChapterInfo? {
    let fields = MatroskaElement.all(in: atom.body)
    func time(_ id: UInt32) -> MediaTime? {
      fields.first { $0.id == id }?.number.flatMap { Int64(exactly: $0) }.map {
        MediaTime(ticks: $0, rate: 1_000_000_000)
      }
    }
    func number(_ id: UInt32) -> UInt64? { fields.first { $0.id == id }?.number }
    guard number(0x98) != 1, number(0x4598) != 0, let start = time(0x91) else { return nil }
    // ChapterDisplay, ChapString.
    let display = fields.first { $0.id == 0x80 }.map { MatroskaElement.all(in: $0.body) }
    let title = display?.first { $0.id == 0x85 }.map { String(decoding: $0.body, as: UTF8.self) }
    return ChapterInfo(start: start, end: time(0x92) ?? start, title: title)
  }

  /// Why the edition that players take, the default one or the first (20), isn't the file from beginning to end.
  private static func refusal(
    _ elements: [MatroskaElement], segment: ArraySlice<UInt8>?, length: Int64?
  ) -> String? {
    let editions = elements.filter { $0.id == ID.edition }.map { MatroskaElement.all(in: $0.body) }
    func isSet(_ id: UInt32, _ edition: [MatroskaElement]) -> Bool {
      edition.first { $0.id == id }?.number == 1
    }
    guard let edition = editions.first(where: { isSet(0x45DB, $0) }) ?? editions.first,
      isSet(0x45DD, edition)
    else { return nil }
    let chapters = edition.filter { $0.id == ID.atom }.compactMap { chapter($0, segment) }
    if chapters.contains(where: \.isElsewhere) {
      return "has ordered chapters whose sound lies in other files (linked segments)"
    }
    guard !chapters.isEmpty, !isWhole(chapters, length) else { return nil }
    return "has ordered chapters, which play parts of the file in an order of their own"
  }

  /// The chapter of an atom; `nil` for one that is switched off.
  private static func chapter(
    _ atom: MatroskaElement, _ segment: ArraySlice<UInt8>?
  ) -> Chapter? {
    let fields = MatroskaElement.all(in: atom.body)
    func time(_ id: UInt32) -> Int64? {
      fields.first { $0.id == id }?.number.flatMap { Int64(exactly: $0) }
    }
    guard fields.first(where: { $0.id == 0x4598 })?.number != 0 else { return nil }
    let link = fields.first { $0.id == 0x6E67 }?.body
    return Chapter(
      start: time(0x91) ?? 0, end: time(0x92),
      isElsewhere: link.map { !$0.isEmpty && $0 != segment } ?? false)
  }

  /// Whether `chapters` follow each other from the file's beginning to its end, which is `length`.
  private static func isWhole(_ chapters: [Chapter], _ length: Int64?) -> Bool {
    guard let length else { return false }
    var reached: Int64 = 0
    for chapter in chapters {
      // Ordered chapters must have an end.
      guard isNear(chapter.start, reached), let end = chapter.end, end >= chapter.start else {
        return false
      }
      reached = end
    }
    return reached >= length || isNear(reached, length)
  }

  private static func isNear(_ left: Int64, _ right: Int64) -> Bool {
    let (difference, isTooLarge) = left.subtractingReportingOverflow(right)
    return !isTooLarge && difference.magnitude <= UInt64(slack)
  }
}
