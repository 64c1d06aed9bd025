/// The Bessel function that Kaiser windows are made of.
enum Bessel {
  /// The modified Bessel function of the first kind and order 0.
  static func order0(_ value: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    var order = 1.0
    // The power series, until a term is too small to change the sum.
    while term > sum * 1e-17 {
      term *= (value / 2 / order) * (value / 2 / order)
      sum += term
      order += 1
    }
    return sum
  }
}
