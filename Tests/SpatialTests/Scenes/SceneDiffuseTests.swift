// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Diffuse, wide and divergent objects.
@Suite struct SceneDiffuseTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

  private var noise: [Float] {
    var source = SeededNoise(seed: 21)
    return source.samples(24000, peak: 0.5)
  }

  private func level(_ ears: [[Float]]) -> Double {
    10 * log10(ears.reduce(0) { $0 + Render.energy($1.map(Double.init)) })
  }

  /// Correlation of both ears, without the delay between them.
  private func likeness(_ ears: [[Float]]) -> Double {
    let (left, right) = (ears[0].map(Double.init), ears[1].map(Double.init))
    let product = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    return product / (Render.energy(left) * Render.energy(right)).squareRoot()
  }

  /// Neighbours of 24 places that are spread over a sphere are 30° to 45° apart.
  @Test("24 diffuse directions are mirrored and have neighbours at 30…45°")
  func diffuseSoundComesEvenlyFromAllAround() {
    let places = DiffuseDirections.all.map { UnitVector.of($0) }
    #expect(places.count == 24)
    for (index, place) in places.enumerated() {
      let others = places.indices.filter { $0 != index }.map { UnitVector.dot(place, places[$0]) }
      let nearest = acos(min(1, others.max() ?? 1)) * 180 / .pi
      #expect((30.0...45).contains(nearest), "\(index): \(nearest)")
      let mirror = SIMD3(place.x, -place.y, place.z)
      #expect(places.contains { UnitVector.dot($0, mirror) > 1 - 1e-12 }, "\(index)")
    }
  }

  @Test(
    "a diffuse object is as loud as points around within 1 dB and has ears correlated below 0.35")
  func aDiffuseObjectIsAsLoudAsPoints() throws {
    var points = 0.0
    let directions = UnitVector.lattice(20).map { UnitVector.direction(of: $0) }
    for direction in directions {
      let state = SceneRun.state(direction.azimuth, direction.elevation)
      points += pow(10, level(try SceneRun(noise, state).render(hrtf)) / 10) / 20
    }
    let state = SceneRun.state(0, extent: ObjectExtent(width: 360, height: 360), diffuse: 1)
    let around = try SceneRun(noise, state).render(hrtf)
    let gap = level(around) - 10 * log10(points)
    #expect(gap.magnitude <= 1, "\(gap) dB")
    #expect(likeness(around).magnitude < 0.35)
    let ahead = try SceneRun(noise, SceneRun.state(0)).render(hrtf)
    let veiled = try SceneRun(noise, SceneRun.state(0, diffuse: 1)).render(hrtf)
    #expect((level(veiled) - level(ahead)).magnitude <= 1)
  }

  @Test(
    "an object up to 180° wide keeps the point's level within 1.5 dB and decorrelates the ears",
    arguments: [20.0, 60, 180])
  func aWideObjectKeepsItsLevel(width: Double) throws {
    let point = try SceneRun(noise, SceneRun.state(0)).render(hrtf)
    let state = SceneRun.state(0, extent: ObjectExtent(width: width, height: width / 4))
    let wide = try SceneRun(noise, state).render(hrtf)
    #expect((level(wide) - level(point)).magnitude <= 1.5)
    #expect(likeness(wide) < likeness(point))
  }

  @Test("a divergence of 1 by 40° equals objects at ±40° within −40 dB")
  func divergenceGoesToBothSides() throws {
    let rules = ObjectRules(divergence: .init(value: 1, range: 40))
    let split = try SceneRun(noise, SceneRun.state(0, rules: rules)).render(hrtf)
    let gain = 0.5.squareRoot()
    let left = try SceneRun(noise, SceneRun.state(40, gain: gain)).render(hrtf)
    let right = try SceneRun(noise, SceneRun.state(-40, gain: gain)).render(hrtf)
    for ear in 0..<2 {
      let both = zip(left[ear], right[ear]).map { Double($0 + $1) }
      #expect(Render.difference(split[ear].map(Double.init), both) < -40)
    }
  }

  @Test("cube positions and divergence render like their angles within −100 dB")
  func cubePositionsSoundLikeTheirAngles() throws {
    let front = ObjectPosition.cartesian(x: 0, y: 1, z: 0)
    let sides = ObjectRules(divergence: .init(value: 0.5, range: 1))
    let cube = ObjectState(position: front, rules: sides)
    let angles = ObjectRules(divergence: .init(value: 0.5, range: 30))
    let one = try SceneRun(noise, cube).render(hrtf)
    let other = try SceneRun(noise, SceneRun.state(0, rules: angles)).render(hrtf)
    for ear in 0..<2 {
      #expect(Render.difference(one[ear].map(Double.init), other[ear].map(Double.init)) < -100)
    }
    let wall = ObjectState(position: .cartesian(x: -1, y: 0, z: 0))
    let narrow = SceneOptions(mapping: .fiveCorners)
    for (options, azimuth) in [(SceneOptions(), 90.0), (narrow, 70)] {
      let made = try SceneRun(noise, wall, options: options).render(hrtf)
      let wanted = try SceneRun(noise, SceneRun.state(azimuth)).render(hrtf)
      for ear in 0..<2 {
        #expect(Render.difference(made[ear].map(Double.init), wanted[ear].map(Double.init)) < -100)
      }
    }
  }

  /// First numbers and taps of seed 0, from the standard's reference renderer.
  @Test("the first numbers and taps of seed 0 are those of the standard's renderer")
  func decorrelatorsAreTheStandards() {
    var generator = MersenneTwister(seed: 0)
    #expect(generator.next() == 2_357_136_044)
    #expect(generator.next() == 2_546_248_239)
    let taps = DecorrelationFilter.taps(0)
    let wanted = [-0.069648564156, 0.009239802554, -0.044409070199, 0.096743183147]
    #expect(zip(taps, wanted).allSatisfy { ($0 - $1).magnitude < 1e-10 })
    #expect((Render.energy(taps) - 1).magnitude < 1e-10)
  }

  @Test(
    "an object with headphones off at 30° passes to the left ear as it is, unless modes are ignored"
  )
  func straightObjectsBypassTheHead() throws {
    let rules = ObjectRules(headphones: .off)
    let straight = try SceneRun(noise, SceneRun.state(30, rules: rules)).render(hrtf)
    #expect(Array(straight[0].prefix(noise.count)) == noise)
    #expect(straight[1].allSatisfy { $0.magnitude < 1e-6 })
    let ignored = try SceneRun(
      noise, SceneRun.state(30, rules: rules), options: SceneOptions(followsHeadphoneModes: false)
    ).render(hrtf)
    #expect(ignored == (try SceneRun(noise, SceneRun.state(30)).render(hrtf)))
  }
}
