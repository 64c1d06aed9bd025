// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Real spherical harmonics in ACN order: channel n² + n + m holds order n, degree m (ITU-R
/// BS.2076-2, 10.1), without the phase (−1)^m.
///
/// Coordinates are those of ``UnitVector``: x ahead, y left, z up.
struct SphericalHarmonics: Sendable {
  /// Highest order, 0…``highestOrder``.
  let order: Int
  /// Number of channels, (order + 1)².
  let count: Int
  /// Factor of each channel: normalisation, and the root of 2 of degrees other than 0.
  private let factors: [Double]

  /// The highest order that scenes may have.
  static let highestOrder = 7

  /// Harmonics up to `order` in `normalization`.
  init(order: Int, normalization: SceneNormalization) {
    precondition((0...SphericalHarmonics.highestOrder).contains(order), "order out of range")
    self.order = order
    count = SphericalHarmonics.count(order: order)
    factors = (0..<count).map { channel in
      let (n, m) = SphericalHarmonics.orderAndDegree(of: channel)
      let ratio = (n - abs(m) + 1..<n + abs(m) + 1).reduce(1.0) {
        $0 * Double($1)
      }
      let semi = ((m == 0 ? 1 : 2) / ratio).squareRoot()
      return semi * normalization.factor(order: n, degree: m)
    }
  }

  /// Channels of a scene of `order`.
  static func count(order: Int) -> Int { (order + 1) * (order + 1) }

  /// Order n ≥ 0 and degree m, −n…n, of an ACN channel.
  static func orderAndDegree(of channel: Int) -> (order: Int, degree: Int) {
    let order = Int(Double(channel).squareRoot())
    return (order, channel - order * order - order)
  }

  /// Value of every channel at `place` on the unit sphere.
  func values(at place: SIMD3<Double>) -> [Double] {
    var values = [Double](repeating: 0, count: count)
    values.withUnsafeMutableBufferPointer { write(at: place, to: $0) }
    return values
  }

  /// Writes the value of every channel at `place` on the unit sphere to `target`, ``count`` numbers.
  ///
  /// The products cos(el)^m · cos(m az) and · sin(m az) are the parts of (x + jy)^m, and what is left
  /// of the Legendre functions are polynomials of z, so that nothing is divided by cos(el).
  func write(at place: SIMD3<Double>, to target: UnsafeMutableBufferPointer<Double>) {
    var (cosine, sine) = (1.0, 0.0)
    var diagonal = 1.0
    for m in 0...order {
      var (before, legendre) = (0.0, diagonal)
      for n in m...order {
        let middle = n * n + n
        target[middle + m] = factors[middle + m] * legendre * cosine
        if m > 0 { target[middle - m] = factors[middle - m] * legendre * sine }
        let next =
          (Double(2 * n + 1) * place.z * legendre - Double(n + m) * before) / Double(n - m + 1)
        (before, legendre) = (legendre, next)
      }
      (cosine, sine) = (cosine * place.x - sine * place.y, cosine * place.y + sine * place.x)
      diagonal *= Double(2 * m + 1)
    }
  }
}

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

/// A symmetric positive definite system of linear equations, solved by Cholesky's decomposition.
struct NormalEquations: Sendable {
  /// Number of unknowns.
  let count: Int
  /// The lower triangle L of A = LLᵀ, row by row, `count` numbers a row.
  private let lower: [Double]

  /// The system of `matrix`, row by row, `count` numbers a row; positive definite.
  init(_ matrix: [Double], count: Int) {
    var lower = matrix
    for row in 0..<count {
      for column in 0...row {
        var sum = matrix[row * count + column]
        for index in 0..<column {
          sum -= lower[row * count + index] * lower[column * count + index]
        }
        lower[row * count + column] =
          row == column ? max(sum, 1e-300).squareRoot() : sum / lower[column * count + column]
      }
    }
    self.count = count
    self.lower = lower
  }

  /// The unknowns for `right`, ``count`` numbers.
  func solve(_ right: [Double]) -> [Double] {
    var values = right
    for row in 0..<count {
      for index in 0..<row { values[row] -= lower[row * count + index] * values[index] }
      values[row] /= lower[row * count + row]
    }
    for row in (0..<count).reversed() {
      for index in row + 1..<max(row + 1, count) {
        values[row] -= lower[index * count + row] * values[index]
      }
      values[row] /= lower[row * count + row]
    }
    return values
  }
}
