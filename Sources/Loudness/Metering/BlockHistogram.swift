import Platform

/// Mean squares of the 400 ms blocks of one channel, gathered in bins of 0.1 LU, for a gated loudness in memory that
/// doesn't grow.
///
/// Each bin has the exact sum of its blocks. Only where the relative gate falls inside a bin do its blocks pass or
/// fail together, by their mean.
struct BlockHistogram {
  /// Bins from the absolute gate up to +30 LUFS; louder blocks belong to the last one.
  private static let bins = 1000
  private static let absolute = -70.0

  private var counts = [Int32](repeating: 0, count: bins)
  private var sums = [Double](repeating: 0, count: bins)

  /// Adds a block; one below the absolute gate counts for nothing.
  mutating func add(_ meanSquare: Double) {
    guard let level = LoudnessScale.loudness(meanSquare), level >= BlockHistogram.absolute else {
      return
    }
    let bin = min(BlockHistogram.bins - 1, Int((level - BlockHistogram.absolute) * 10))
    counts[bin] &+= 1
    sums[bin] += meanSquare
  }

  /// Loudness in LUFS of the blocks that pass both gates (ITU-R BS.1770-5, Annex 1); `nil` when none does.
  var integrated: Double? {
    guard let gate = mean(from: 0).map({ $0 * 0.1 }) else { return nil }
    return mean(from: gate).flatMap(LoudnessScale.loudness)
  }

  /// Mean of the blocks in bins whose own mean is at least `gate`.
  private func mean(from gate: Double) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for bin in counts.indices where counts[bin] > 0 && sums[bin] >= gate * Double(counts[bin]) {
      sum += sums[bin]
      count += Double(counts[bin])
    }
    return count > 0 ? sum / count : nil
  }
}
