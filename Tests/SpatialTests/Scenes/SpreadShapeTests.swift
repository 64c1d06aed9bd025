// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Spatial

/// How much of an object with an extent sounds from a place.
@Suite struct SpreadShapeTests {
  private func weight(_ width: Double, _ height: Double, _ azimuth: Double, _ elevation: Double)
    -> Double
  {
    SpreadShape(at: SIMD3(0, 1, 0), width: max(5, width), height: max(5, height))
      .weight(RoomGeometry.point(azimuth: azimuth, elevation: elevation))
  }

  /// An arc of 60° by 5° ends at ±30° and fades within 10°; nothing is narrower than 5°.
  @Test("an arc 60° wide has weight 1 at 29°, 0.5 at 35° and 0 at 40.1°", arguments: [0.0, 5])
  func anArcEndsWhereItsWidthSays(height: Double) {
    for side in [1.0, -1] {
      #expect(weight(60, height, side * 29, 0) == 1 && weight(60, height, 0, side * 2) == 1)
      #expect((weight(60, height, side * 35, 0) - 0.5).magnitude < 1e-9)
      #expect((weight(60, height, 0, side * 7.5) - 0.5).magnitude < 1e-9)
      #expect(weight(60, height, side * 40.1, 0) == 0 && weight(60, height, 0, side * 13) == 0)
    }
  }

  /// Beyond 180° an arc grows by its thickness, too, so that at 360° it is as thick behind as in front.
  @Test("an arc of 360° is as thick at 180° as in front")
  func wideArcsMeetBehind() {
    for side in [1.0, -1] {
      #expect(weight(180, 5, side * 89, 0) == 1)
      #expect((weight(180, 5, side * 95, 0) - 0.5).magnitude < 1e-9)
      #expect((weight(270, 5, side * 136.25, 0) - 1).magnitude < 1e-9)
      #expect((weight(270, 5, side * 141.25, 0) - 0.5).magnitude < 1e-9)
      for azimuth in [0, 90, 179, 180] {
        #expect((weight(360, 5, side * Double(azimuth), 7.5) - 0.5).magnitude < 1e-9, "\(azimuth)")
      }
    }
  }

  @Test("an object 60° high has the weights of one 60° wide with the axes exchanged")
  func aTallObjectIsAWideOneOnItsSide() {
    for (azimuth, elevation) in [(0.0, 30.0), (0, 35), (7.5, 0), (5, 20)] {
      let tall = weight(5, 60, azimuth, elevation)
      if azimuth == 0 || elevation == 0 {
        #expect((tall - weight(60, 5, elevation, azimuth)).magnitude < 1e-9)
      } else {
        #expect(tall > 0 && tall < 1)
      }
    }
  }

  @Test("an extent of 360° by 360° has weight 1 in 100 directions")
  func aWholeSphereSoundsFromEverywhere() {
    for place in UnitVector.lattice(100) {
      let extent = SpreadShape(
        at: RoomGeometry.point(azimuth: 77, elevation: 12), width: 360, height: 360)
      #expect(extent.weight(RoomGeometry.point(of: place)) == 1)
    }
  }
}
