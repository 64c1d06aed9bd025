/// Counts the samples of units, and says which of them are presented.
///
/// Frames are trimmed behind the gains, whose clock counts all samples.
package struct TrimmingClock: Equatable, Sendable {
  /// Samples of all units.
  package private(set) var decoded: Int64 = 0
  /// Samples in front that aren't presented.
  package private(set) var trimmedStart: Int64 = 0
  /// Samples behind that aren't presented.
  package private(set) var trimmedEnd: Int64 = 0
  /// Units whose trimming is longer than they are; as much as they have is trimmed.
  package private(set) var clampedUnits = 0
  /// Units that are trimmed at the start behind presented samples, or presented behind an end; exactly the
  /// samples that they name are cut out. It is how sequences look that were joined without a header between.
  package private(set) var misplacedUnits = 0

  /// A clock at the first unit.
  package init() {}

  /// Samples that are presented.
  package var presented: Int64 { decoded - trimmedStart - trimmedEnd }

  /// Counts a unit of `count` samples, and answers which of them are presented.
  package mutating func range(_ count: Int, _ trim: OBU.Trim) -> Range<Int> {
    let start = min(trim.start, count)
    let end = min(trim.end, count - start)
    if start < trim.start || end < trim.end { clampedUnits += 1 }
    if start > 0 && presented > 0 || trimmedEnd > 0 && start + end < count { misplacedUnits += 1 }
    decoded += Int64(count)
    trimmedStart += Int64(start)
    trimmedEnd += Int64(end)
    return start..<count - end
  }
}
