import Platform

extension SceneDecoder {
  /// Spherical harmonics up to `order` at a point of the unit sphere (X to the right, Y to the front, Z up):
  /// (order + 1)² of them in ACN order, SN3D normalised (ITU-R BS.2127-1, 9).
  static func harmonics(at point: SIMD3<Double>, order: Int) -> [Double] {
    let legendre = legendre(point.z, order: order)
    let azimuth = atan2(-point.x, point.y)
    return (0...order).flatMap { degree in
      (-degree...degree).map { index -> Double in
        let size = abs(index)
        let turn = Double(size) * azimuth
        let swing =
          index == 0 ? 1 : 2.0.squareRoot() * (index > 0 ? cos(turn) : sin(turn))
        return norm(degree, size) * legendre[degree][size] * swing
      }
    }
  }

  /// The factor that makes SN3D N3D, for each component.
  static func fullNorms(order: Int) -> [Double] {
    (0...order).flatMap { degree in
      [Double](repeating: Double(2 * degree + 1).squareRoot(), count: 2 * degree + 1)
    }
  }

  /// √((n − m)! / (n + m)!).
  private static func norm(_ n: Int, _ m: Int) -> Double {
    guard m > 0 else { return 1 }
    return 1 / (n - m + 1...n + m).reduce(1.0) { $0 * Double($1) }.squareRoot()
  }

  /// Associated Legendre functions P[n][m] without the sign (−1)^m.
  private static func legendre(_ x: Double, order: Int) -> [[Double]] {
    let level = max(0, 1 - x * x).squareRoot()
    var rows: [[Double]] = []
    for n in 0...order {
      let row = (0...n).map { m -> Double in
        if n == 0 { return 1 }
        if m == n { return Double(2 * n - 1) * level * rows[n - 1][n - 1] }
        let last = Double(2 * n - 1) * x * rows[n - 1][m]
        let older = m <= n - 2 ? Double(n + m - 1) * rows[n - 2][m] : 0
        return (last - older) / Double(n - m)
      }
      rows.append(row)
    }
    return rows
  }
}
