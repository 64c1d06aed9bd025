/// The Kaiser window's ingredients.
package enum Kaiser {
  /// Modified Bessel function of the first kind, order 0.
  package static func bessel(_ x: Double) -> Double {
    let quarter = x * x / 4
    var term = 1.0
    var sum = 1.0
    var order = 1.0
    while term > sum * 1e-17 {
      term *= quarter / (order * order)
      sum += term
      order += 1
    }
    return sum
  }
}
