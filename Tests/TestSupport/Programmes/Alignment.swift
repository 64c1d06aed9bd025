// SPDX-License-Identifier: Apache-2.0

/// Delays and differences between two signals.
package enum Alignment {
  /// Samples by which `test` lags `reference`: the greatest correlation within ±`reach` over `count`
  /// samples in the middle of both; `nil` when the signals are too short.
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

  /// Samples by which `test` lags `reference`: the greatest correlation within ±`reach` over all samples that both have.
  package static func lag(
    ofAll test: ArraySlice<Float>, _ reference: ArraySlice<Float>, reach: Int = 600
  ) -> Int {
    let (test, reference) = (Array(test), Array(reference))
    var best = (lag: 0, sum: -Double.infinity)
    for lag in -reach...reach {
      var sum = 0.0
      for place in max(0, -lag)..<min(reference.count, test.count - lag) {
        sum += Double(reference[place]) * Double(test[place + lag])
      }
      if sum > best.sum { best = (lag, sum) }
    }
    return best.lag
  }

  /// First sample at which two programmes differ; the end of the shorter one counts. `nil` when they are
  /// equal. An expectation that compares the arrays themselves would print them.
  package static func difference(_ test: [[Float]], _ reference: [[Float]]) -> Int? {
    guard test.count == reference.count else { return 0 }
    let found = zip(test, reference).compactMap { one, other -> Int? in
      let shared = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      return shared ?? (one.count == other.count ? nil : min(one.count, other.count))
    }
    return found.min()
  }

  /// First sample at which two channels differ; `nil` when they are equal.
  package static func difference(_ test: some Sequence<Float>, _ reference: some Sequence<Float>)
    -> Int?
  { difference([Array(test)], [Array(reference)]) }
}
