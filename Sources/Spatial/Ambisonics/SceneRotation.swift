import AudioCore

/// What turns the sources of a scene to where a turned head hears them: a matrix for the planes, in
/// blocks, because orders don't mix.
///
/// The matrix serves SN3D and N3D alike.
struct SceneRotation: Sendable, Equatable {
  /// Highest order.
  let order: Int
  /// The blocks of orders 0…``order`` one after the other, (2n + 1)² numbers each, row by row; rows are
  /// the turned channels. Block n starts at ``offset(_:)``.
  let blocks: [Double]

  /// Index in ``blocks`` of the first number of the block of order `n`: n(4n² − 1)/3.
  static func offset(_ n: Int) -> Int { n * (4 * n * n - 1) / 3 }

  /// The number in row `row` and column `column`, both ACN channels.
  func coefficient(row: Int, column: Int) -> Double {
    let (n, _) = SphericalHarmonics.orderAndDegree(of: row)
    guard SphericalHarmonics.orderAndDegree(of: column).order == n else { return 0 }
    let first = n * n
    return blocks[SceneRotation.offset(n) + (row - first) * (2 * n + 1) + column - first]
  }
}
