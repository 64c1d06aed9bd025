/// What Kaiser windows are calculated from.
package enum Kaiser {
  /// Modified Bessel function of the first kind, order 0, by its power series.
  package static func bessel(_ x: Double) -> Double {
    let quarter = x * x / 4
    var term = 1.0
    var sum = 1.0
    var order = 1.0
    // A term this small is below half the last place of Double (2^−53 ≈ 1.1e−16), so it changes nothing.
    while term > sum * 1e-17 {
      term *= quarter / (order * order)
      sum += term
      order += 1
    }
    return sum
  }
}
