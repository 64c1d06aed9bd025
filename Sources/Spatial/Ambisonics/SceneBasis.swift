/// Spherical harmonics at a set of places, and the weighted least-squares fit by them.
///
/// The harmonics are N3D, so that every channel counts the same in the regularisation.
struct SceneBasis: Sendable {
  /// Highest order.
  let order: Int
  /// Number of channels.
  let channels: Int
  /// Number of places.
  let places: Int
  /// channel × place: the harmonics Y.
  let harmonics: [Double]
  /// place × channel: P = (YᵀWY + λI)⁻¹YᵀW, which fits channels to values at the places; λ is a
  /// thousandth of the mean of the diagonal.
  let projection: [Double]

  /// The basis of `order` at `places` of the unit sphere; `weights` sum to 1.
  init(order: Int, places: [SIMD3<Double>], weights: [Double]) {
    let kind = SphericalHarmonics(order: order, normalization: .n3d)
    let channels = kind.count
    let rows = places.map { kind.values(at: $0) }
    var matrix = [Double](repeating: 0, count: channels * channels)
    for (row, weight) in zip(rows, weights) {
      for one in 0..<channels {
        for other in 0..<channels {
          matrix[one * channels + other] += weight * row[one] * row[other]
        }
      }
    }
    let trace = (0..<channels).reduce(0) { $0 + matrix[$1 * channels + $1] }
    for index in 0..<channels {
      matrix[index * channels + index] += 1e-3 * trace / Double(channels)
    }
    let system = NormalEquations(matrix, count: channels)
    projection = zip(rows, weights).flatMap { row, weight in
      system.solve(row.map { $0 * weight })
    }
    harmonics = (0..<channels).flatMap { channel in rows.map { $0[channel] } }
    self.order = order
    self.channels = channels
    self.places = places.count
  }
}
