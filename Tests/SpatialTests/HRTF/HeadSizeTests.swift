// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Sets that are fitted to another head: the delays between the ears grow, and nothing else changes.
@Suite struct HeadSizeTests {
  private static let azimuths = Array(stride(from: 0.0, to: 360, by: 10))

  /// The set of a sphere of `radius` m: pulses without any filter, exactly as late as the sphere makes them.
  private func sphere(_ radius: Double, options: HRTFOptions = HRTFOptions()) throws -> HRTFSet {
    var directions: [Direction] = []
    var responses: [Float] = []
    for elevation in stride(from: -40.0, through: 80, by: 20) {
      for azimuth in Self.azimuths {
        let direction = Direction(azimuth: azimuth, elevation: elevation)
        directions.append(direction)
        let side = asin(UnitVector.of(direction).y)
        for ear in [1.0, -1] {
          let angle = side * ear
          // Woodworth: straight to the near ear, around the sphere to the far one.
          let path = angle > 0 ? -sin(angle) : -angle
          let place = 64 + radius / 343.2 * path * 48_000
          responses += (0..<128).map { tap in
            let x = Double(tap) - place
            let window = x.magnitude < 32 ? 0.5 + 0.5 * cos(.pi * x / 32) : 0
            return Float((x == 0 ? 1 : sin(.pi * x) / (.pi * x)) * window)
          }
        }
      }
    }
    let measurements = HRTFMeasurements(
      sampleRate: 48_000, taps: 128, directions: directions, responses: responses,
      delays: [Double](repeating: 0, count: 2 * directions.count))
    return try HRTFSet(
      id: "sphere", citation: "", measurements: measurements, options: options)
  }

  /// The delay between the ears in µs of what is played from `azimuth`.
  private func delay(_ designer: HRIRDesigner, _ azimuth: Double) -> Double {
    let pair = designer.pair(for: Direction(azimuth: azimuth))
    return Render.lag(pair.right, pair.left) / 48_000 * 1e6
  }

  /// A sphere of 8 cm becomes one of any other size.
  @Test(
    "a sphere of 8 cm scaled to another size has that size's ITD within 5 µs",
    arguments: [0.7, 0.9, 1, 1.15, 1.4])
  func aKnownHeadIsScaled(scale: Double) throws {
    let set = try sphere(0.08, options: HRTFOptions(head: .scaled(scale)))
    let designer = HRIRDesigner(set, rate: 48_000)
    for azimuth in [-150.0, -90, -35, -10, 0, 10, 20, 45, 70, 90, 120, 160] {
      let side = azimuth < 0 ? -1.0 : 1
      let wanted = side * HeadSize.delay(azimuth: azimuth.magnitude, radius: 0.08 * scale) * 1e6
      let error = delay(designer, azimuth) - wanted
      #expect(error.magnitude < 5, "\(error) µs at \(azimuth)°")
      QualityRecord.add("head scaling, known sphere", "kemar", error.magnitude)
    }
  }

  @Test(
    "the radius of a sphere is found within 0.5 %, before and after fitting to 60 cm",
    arguments: [0.07, 0.0875, 0.1])
  func theSizeOfAHeadIsFound(radius: Double) throws {
    let found = HeadSize(of: try sphere(radius)).radius
    #expect((found / radius - 1).magnitude < 0.005, "\(found)")
    let fitted = try sphere(radius, options: HRTFOptions(head: .circumference(60)))
    #expect((HeadSize(of: fitted).radius / (0.0875 * 60 / 57) - 1).magnitude < 0.005)
  }

  /// The delay changes by what the onsets say, and the filters only by that delay.
  @Test(
    "scaling the built-in set by 1.2 changes the ITD by a fifth and the levels by less than 0.05 dB"
  )
  func aRealSetKeepsItsFilters() throws {
    let plain = try HRTFSet.builtIn()
    let scaled = try HRTFSet.builtIn(options: HRTFOptions(head: .scaled(1.2)))
    let (one, other) = (HRIRDesigner(plain, rate: 48_000), HRIRDesigner(scaled, rate: 48_000))
    let synthesiser = ResponseSynthesiser(plain)
    for azimuth in [0.0, 25, 60, 90, 135, 180, -45] {
      let raw = synthesiser.pair(for: Direction(azimuth: azimuth))
      let onset = (raw.right.delay - raw.left.delay) / Double(plain.sourceRate) * 1e6
      let error = delay(other, azimuth) - delay(one, azimuth) - 0.2 * onset
      #expect(error.magnitude < 5, "\(error) µs at \(azimuth)°")
      QualityRecord.add("head scaling, real set", "kemar", error.magnitude)
      let (before, after) = (
        one.pair(for: Direction(azimuth: azimuth)), other.pair(for: Direction(azimuth: azimuth))
      )
      for (left, right) in [(before.left, after.left), (before.right, after.right)] {
        func level(_ taps: [Double]) -> Double { 10 * log10(taps.reduce(0) { $0 + $1 * $1 }) }
        #expect((level(left) - level(right)).magnitude < 0.05)
      }
    }
  }

  @Test("a head scale of 1 keeps each bit of the filters")
  func aScaleOfOneChangesNoBit() throws {
    let same = try HRTFSet.builtIn(options: HRTFOptions(head: .scaled(1)))
    let (one, other) = (
      HRIRDesigner(try HRTFSet.builtIn(), rate: 48_000), HRIRDesigner(same, rate: 48_000)
    )
    for azimuth in [0.0, 30, -110] {
      let (a, b) = (
        one.pair(for: Direction(azimuth: azimuth)), other.pair(for: Direction(azimuth: azimuth))
      )
      #expect(a.left == b.left && a.right == b.right)
    }
  }

  @Test("a circumference of 57 cm is a radius of 8.75 cm, and KEMAR's head is 8.2…9.8 cm")
  func measuresOfAnAverageHeadGiveAnAverageSize() throws {
    let sides = HeadSize(width: 15.2, depth: 19.5, height: 23).radius
    #expect((0.085...0.093).contains(sides))
    #expect(HeadSize(circumference: 57).radius == 0.0875)
    #expect(HeadSize(radius: 0.0875).circumference == 57)
    // KEMAR's head is an average one.
    let kemar = HeadSize(of: try HRTFSet.builtIn()).radius
    #expect((0.082...0.098).contains(kemar), "\(kemar)")
  }

  @Test(
    "head scales of 0.5, 1.6 and NaN and circumferences of 39 and 71 cm are refused",
    arguments: [
      HRTFOptions.Head.scaled(0.5), .scaled(1.6), .scaled(.nan), .circumference(39),
      .circumference(71),
    ])
  func headsThatNobodyHasAreRefused(head: HRTFOptions.Head) {
    let error = #expect(throws: MediaError.self) { try HRTFOptions(head: head).check() }
    #expect(error?.kind == .usage)
  }

  /// A set without delays, or with exchanged ones, can't be fitted.
  @Test(
    "sets with no, tiny, exchanged or huge interaural delays can't be fitted to a head",
    arguments: [0, 0.001, -0.08, 0.2])
  func setsWithoutAHeadAreRefused(radius: Double) throws {
    let error = #expect(throws: MediaError.self) {
      try sphere(radius, options: HRTFOptions(head: .circumference(57)))
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("can't be fitted") == true, "\(error?.message ?? "")")
  }
}
