/// Gated programme loudness and loudness range from the energies of consecutive 100 ms.
struct LoudnessGates {
  /// Weighted sums of squares of whole 100 ms steps, in order.
  let steps: [Double]
  /// Samples in a step.
  let stepLength: Int

  /// Programme loudness in LUFS (ITU-R BS.1770-5, Annex 1): 400 ms blocks overlapping by 75 %,
  /// gates at −70 LUFS and 10 LU below the loudness of what passes the first. `nil` when nothing
  /// passes.
  var integrated: Double? {
    let blocks = means(of: 4, every: 1)
    let absolute = Decibels.meanSquare(-70)
    guard let ungated = mean(blocks, from: absolute) else { return nil }
    let relative = ungated * 0.1
    return mean(blocks, from: max(absolute, relative)).flatMap(Decibels.loudness)
  }

  /// Largest loudness of any 3 s, read every 100 ms, in LUFS (EBU Tech 3341, clause 2.2).
  var shortTermMax: Double? {
    means(of: 30, every: 1).max().flatMap(Decibels.loudness)
  }

  /// Loudness range in LU (EBU Tech 3342, clause 3): distribution of the loudness of 3 s blocks
  /// that overlap by 2 s, gates at −70 LUFS and −20 LU, from its 10th to its 95th percentile.
  var range: Double? {
    let absolute = Decibels.meanSquare(-70)
    let blocks = means(of: 30, every: 10).filter { $0 >= absolute }
    guard let ungated = mean(blocks, from: absolute) else { return nil }
    let relative = ungated * 0.01
    let kept = blocks.filter { $0 >= relative }.sorted()
    guard !kept.isEmpty else { return nil }
    let last = Double(kept.count - 1)
    guard let low = Decibels.loudness(kept[Int(last * 0.1 + 0.5)]),
      let high = Decibels.loudness(kept[Int(last * 0.95 + 0.5)])
    else { return nil }
    return high - low
  }

  /// Mean squares of windows of `width` steps that start `stride` steps apart.
  private func means(of width: Int, every stride: Int) -> [Double] {
    guard steps.count >= width else { return [] }
    let samples = Double(width * stepLength)
    return steps.withUnsafeBufferPointer { steps in
      Swift.stride(from: 0, through: steps.count - width, by: stride).map { start in
        var sum = 0.0
        for index in start..<start + width { sum += steps[index] }
        return sum / samples
      }
    }
  }

  /// Mean of the values of at least `gate`; `nil` when there is none.
  private func mean(_ values: [Double], from gate: Double) -> Double? {
    var sum = 0.0
    var count = 0
    for value in values where value >= gate {
      sum += value
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }
}
