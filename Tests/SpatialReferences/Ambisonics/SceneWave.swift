// SPDX-License-Identifier: Apache-2.0
@testable import Spatial

/// A plane wave, encoded in SN3D.
struct SceneWave {
  /// Gain of each plane, in ACN order.
  let gains: [Double]

  /// The wave from `place` on the unit sphere, up to `order`.
  init(_ place: SIMD3<Double>, _ order: Int) {
    gains = SphericalHarmonics(order: order, normalization: .sn3d).values(at: place)
  }

  /// Impulse as both ears hear it.
  func ears(_ filters: SceneFilters) -> HRIRDesigner.Pair {
    func sum(_ ear: [[Double]]) -> [Double] {
      (0..<filters.taps).map { tap in
        zip(gains, ear).reduce(0) { $0 + $1.0 * $1.1[tap] }
      }
    }
    return HRIRDesigner.Pair(left: sum(filters.left), right: sum(filters.right))
  }
}
