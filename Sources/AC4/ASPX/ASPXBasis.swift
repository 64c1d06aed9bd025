/// Orthonormal polynomials up to the third order over a number of subbands. Pre-flattening projects a
/// spectrum on them for its least squares fit (TS 103 190-1, 5.7.6.4.1.1).
enum ASPXBasis {
  /// Four rows of `count` values.
  static func cubic(_ count: Int) -> [Float] {
    var rows: [[Double]] = []
    for order in 0..<4 {
      var row = (0..<count).map { band in
        let place = count > 1 ? 2 * Double(band) / Double(count - 1) - 1 : 0
        return (0..<order).reduce(1.0) { value, _ in value * place }
      }
      for earlier in rows {
        let product = zip(row, earlier).reduce(0) { $0 + $1.0 * $1.1 }
        for band in 0..<count { row[band] -= product * earlier[band] }
      }
      let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
      // With fewer than four subbands the higher orders depend on the lower ones, and nothing is left.
      rows.append(length > 1e-9 ? row.map { $0 / length } : row.map { _ in 0 })
    }
    return rows.flatMap { $0.map(Float.init) }
  }
}
