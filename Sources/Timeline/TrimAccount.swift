import AudioCore

/// Counts where the samples of a decode went.
///
/// The trim law: left out + decoded = start trim + valid + end trim.
struct TrimAccount {
  /// Samples decoded, and those of filled gaps.
  private(set) var decoded: Int64 = 0
  /// Samples that the source left out before decoding began.
  private(set) var skipped: Int64 = 0
  /// Start-up samples dropped or left out.
  private(set) var startTrim: Int64 = 0
  /// Start-up samples that are still to be dropped.
  var startTrimLeft: Int64 = 0
  /// Valid samples handed out or left out.
  var valid: Int64 = 0
  /// Samples dropped as padding.
  var endTrim: Int64 = 0

  /// Leaves out the track's first `count` samples, before any is added.
  mutating func skip(_ count: Int64) {
    skipped = count
    startTrim = min(startTrimLeft, count)
    startTrimLeft -= startTrim
    valid = count - startTrim
  }

  /// Adds `count` decoded samples; returns how many of them, from their front, are start-up samples.
  mutating func add(_ count: Int) -> Int {
    decoded += Int64(count)
    let trimmed = min(startTrimLeft, Int64(count))
    startTrimLeft -= trimmed
    startTrim += trimmed
    return Int(trimmed)
  }

  /// Checks the trim law.
  /// - Throws: ``MediaError`` of kind `internal` when samples were lost or counted twice.
  func check() throws {
    guard skipped + decoded == startTrim + valid + endTrim else {
      throw MediaError(
        .internal, "trim law broken: \(skipped) + \(decoded) ≠ \(startTrim) + \(valid) + \(endTrim)"
      )
    }
  }
}
