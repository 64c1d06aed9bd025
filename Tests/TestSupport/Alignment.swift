/// How two signals lie to each other.
public enum Alignment {
  /// Samples by which `test` lags `reference`, searched in ±`reach` over `count` samples from the
  /// middle of both.
  public static func lag(
    _ test: [Float], _ reference: [Float], reach: Int = 3000, count: Int = 8192
  )
    -> Int?
  {
    let start = min(test.count, reference.count) / 2
    guard start > reach + count / 2 else { return nil }
    var best: (lag: Int, sum: Float) = (0, -.infinity)
    for lag in -reach...reach {
      var sum: Float = 0
      for index in start - count / 2..<start + count / 2 {
        sum += reference[index] * test[index + lag]
      }
      if sum > best.sum { best = (lag, sum) }
    }
    return best.lag
  }
}
