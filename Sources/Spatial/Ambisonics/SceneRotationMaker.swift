import AudioCore

/// Makes the rotations of scenes of one order.
///
/// A channel of a turned wave is a sum of the channels of the wave as it was. Both are orthonormal,
/// so the matrix is the mean over the sphere of the turned harmonics times the plain ones: R = ∫ Y(Rv)
/// Y(v)ᵀ. A quadrature of twice the order gives it exactly, for any rotation.
struct SceneRotationMaker: Sendable {
  /// Highest order, 0…7.
  let order: Int
  private let harmonics: SphericalHarmonics
  private let rule: SphereQuadrature
  /// point × channel: the harmonics of the points times their weights.
  private let plain: [Double]

  /// A maker for scenes of `order`, 0…7.
  init(order: Int) {
    self.order = order
    let harmonics = SphericalHarmonics(order: order, normalization: .n3d)
    let rule = SphereQuadrature(degree: 2 * order)
    plain = zip(rule.places, rule.weights).flatMap { place, weight in
      harmonics.values(at: place).map { weight * $0 }
    }
    self.harmonics = harmonics
    self.rule = rule
  }

  /// The matrix for what a head that is turned by `rotation` hears.
  func rotation(_ rotation: HeadRotation) -> SceneRotation {
    let axes = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].map {
      rotation.place(of: $0)
    }
    return self.rotation { $0.x * axes[0] + $0.y * axes[1] + $0.z * axes[2] }
  }

  /// The matrix that encodes at `turned`(v) what was encoded at v; `turned` is linear and keeps
  /// lengths.
  func rotation(_ turned: (SIMD3<Double>) -> SIMD3<Double>) -> SceneRotation {
    var blocks = [Double](repeating: 0, count: SceneRotation.offset(order + 1))
    var values = [Double](repeating: 0, count: harmonics.count)
    for (point, place) in rule.places.enumerated() {
      values.withUnsafeMutableBufferPointer { harmonics.write(at: turned(place), to: $0) }
      blocks.withUnsafeMutableBufferPointer { blocks in
        values.withUnsafeBufferPointer { values in
          plain.withUnsafeBufferPointer { plain in
            let row = UnsafeBufferPointer(
              rebasing: plain[point * harmonics.count..<(point + 1) * harmonics.count])
            add(values, row, to: blocks)
          }
        }
      }
    }
    // What is 0 but for rounding costs a multiplication for each sample.
    return SceneRotation(order: order, blocks: blocks.map { $0.magnitude < 1e-14 ? 0 : $0 })
  }

  /// Adds the products of the channels of each order to its block.
  private func add(
    _ turned: UnsafeBufferPointer<Double>, _ plain: UnsafeBufferPointer<Double>,
    to blocks: UnsafeMutableBufferPointer<Double>
  ) {
    var index = 0
    for n in 0...order {
      let channels = n * n..<(n + 1) * (n + 1)
      for row in channels {
        for column in channels {
          blocks[index] += turned[row] * plain[column]
          index += 1
        }
      }
    }
  }
}
