/// How two signals lie to each other.
package enum Alignment {
  /// Samples by which `test` lags `reference`, searched in ±`reach` over `count` samples from the
  /// middle of both.
  package static func lag(
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

  /// Where two programmes first differ, in samples, an end before the other's included; `nil` when
  /// they are the same. Comparing the arrays in an expectation would print them.
  package static func difference(_ test: [[Float]], _ reference: [[Float]]) -> Int? {
    guard test.count == reference.count else { return 0 }
    let found = zip(test, reference).compactMap { one, other -> Int? in
      let shared = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      return shared ?? (one.count == other.count ? nil : min(one.count, other.count))
    }
    return found.min()
  }

  /// Where two channels first differ; see above.
  package static func difference(_ test: some Sequence<Float>, _ reference: some Sequence<Float>)
    -> Int?
  { difference([Array(test)], [Array(reference)]) }
}
