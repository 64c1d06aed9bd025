// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct SphericalHarmonicsTests {
  /// SN3D up to order 3 in closed form, by Cartesian coordinates.
  private func closed(_ v: SIMD3<Double>) -> [Double] {
    let (x, y, z) = (v.x, v.y, v.z)
    let (r3, r15, r5, r6) = (
      3.0.squareRoot(), 15.0.squareRoot(), 0.625.squareRoot(), 0.375.squareRoot()
    )
    return [
      1, y, z, x,
      r3 * x * y, r3 * y * z, (3 * z * z - 1) / 2, r3 * x * z, r3 / 2 * (x * x - y * y),
      r5 * y * (3 * x * x - y * y), r15 * x * y * z, r6 * y * (5 * z * z - 1),
      z * (5 * z * z - 3) / 2, r6 * x * (5 * z * z - 1), r15 / 2 * z * (x * x - y * y),
      r5 * x * (x * x - 3 * y * y),
    ]
  }

  private let places = UnitVector.lattice(200) + [SIMD3(0, 0, 1), SIMD3(0, 0, -1), SIMD3(0, 1, 0)]

  @Test("spherical harmonics agree with closed forms") func agreeWithClosedForms() {
    let harmonics = SphericalHarmonics(order: 3, normalization: .sn3d)
    for place in places {
      for (value, wanted) in zip(harmonics.values(at: place), closed(place)) {
        #expect((value - wanted).magnitude < 1e-14)
      }
    }
  }

  @Test("zonal and sectoral harmonics of order 7 agree with closed forms within 1e-13")
  func highOrdersAgreeWithClosedForms() {
    let harmonics = SphericalHarmonics(order: 7, normalization: .sn3d)
    for place in places {
      let values = harmonics.values(at: place)
      let z = place.z
      let zonal = (429 * pow(z, 7) - 693 * pow(z, 5) + 315 * z * z * z - 35 * z) / 16
      let azimuth = atan2(place.y, place.x)
      let radius = (1 - z * z).squareRoot()
      let sectoral = (429.0 / 1024).squareRoot() * pow(radius, 7)
      #expect((values[56] - zonal).magnitude < 1e-13)
      #expect((values[63] - sectoral * cos(7 * azimuth)).magnitude < 1e-13)
      #expect((values[49] - sectoral * sin(7 * azimuth)).magnitude < 1e-13)
    }
  }

  /// Over evenly spaced azimuths and the midpoints of 4000 even heights.
  @Test("spherical harmonics are orthonormal") func areOrthonormal() {
    let harmonics = SphericalHarmonics(order: 7, normalization: .n3d)
    let (rings, spokes) = (4000, 16)
    var sums = [Double](repeating: 0, count: 64 * 64)
    for ring in 0..<rings {
      let z = 2 * (Double(ring) + 0.5) / Double(rings) - 1
      let radius = (1 - z * z).squareRoot()
      for spoke in 0..<spokes {
        let angle = 2 * Double.pi * Double(spoke) / Double(spokes)
        let values = harmonics.values(at: SIMD3(radius * cos(angle), radius * sin(angle), z))
        for one in 0..<64 {
          for other in 0...one { sums[one * 64 + other] += values[one] * values[other] }
        }
      }
    }
    for one in 0..<64 {
      for other in 0...one {
        let mean = sums[one * 64 + other] / Double(rings * spokes)
        #expect((mean - (one == other ? 1 : 0)).magnitude < 2e-4, "\(one), \(other): \(mean)")
      }
    }
  }

  @Test("spherical quadrature integrates powers of z up to its degree within 1e-14")
  func quadratureIsExact() {
    for degree in [0, 1, 6, 14] {
      let rule = SphereQuadrature(degree: degree)
      #expect((rule.weights.reduce(0, +) - 1).magnitude < 1e-14)
      for power in 0...degree {
        let mean = zip(rule.places, rule.weights).reduce(0) {
          $0 + $1.1 * pow($1.0.z, Double(power))
        }
        let wanted = power % 2 == 0 ? 1 / Double(power + 1) : 0
        #expect((mean - wanted).magnitude < 1e-14)
      }
    }
  }

  @Test("N3D and FuMa harmonics are SN3D by √(2l + 1) and the published Furse-Malham functions")
  func normalizationsAreThoseOfTheStandard() {
    let place = UnitVector.of(.init(azimuth: 20, elevation: 35))
    let semi = SphericalHarmonics(order: 3, normalization: .sn3d).values(at: place)
    let full = SphericalHarmonics(order: 3, normalization: .n3d).values(at: place)
    let furse = SphericalHarmonics(order: 3, normalization: .fuMa).values(at: place)
    for channel in 0..<16 {
      let order = [0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3][channel]
      #expect(
        (full[channel] - semi[channel] * Double(2 * order + 1).squareRoot()).magnitude < 1e-14)
    }
    // The directional functions that Furse and Malham publish, in their order.
    let (a, e) = (20 * Double.pi / 180, 35 * Double.pi / 180)
    let k = (135.0 / 256).squareRoot()
    let published = [
      (1.0 / 2).squareRoot(), cos(a) * cos(e), sin(a) * cos(e), sin(e), 1.5 * sin(e) * sin(e) - 0.5,
      cos(a) * sin(2 * e), sin(a) * sin(2 * e), cos(2 * a) * pow(cos(e), 2),
      sin(2 * a) * pow(cos(e), 2), sin(e) * (5 * sin(e) * sin(e) - 3) / 2,
      k * cos(a) * cos(e) * (5 * sin(e) * sin(e) - 1),
      k * sin(a) * cos(e) * (5 * sin(e) * sin(e) - 1),
      (27.0 / 4).squareRoot() * cos(2 * a) * sin(e) * pow(cos(e), 2),
      (27.0 / 4).squareRoot() * sin(2 * a) * sin(e) * pow(cos(e), 2), cos(3 * a) * pow(cos(e), 3),
      sin(3 * a) * pow(cos(e), 3),
    ]
    for (channel, wanted) in zip(SceneNormalization.furseMalhamOrder, published) {
      #expect((furse[channel] - wanted).magnitude < 1e-14, "ACN \(channel)")
    }
    #expect(SceneNormalization.fuMa.highestOrder == 3)
    #expect(Set(SceneNormalization.furseMalhamOrder).count == 16)
  }
}
