// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct ObjectAnglesTests {
  /// Cases of `list` in a file: numbers of what is given and what is wanted.
  private func cases(_ name: String, _ list: String) throws -> [[[Double]]] {
    let file = URL(fileURLWithPath: ObjectCases.path("vectors/" + name))
    let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let found = (all as? [String: Any])?[list] as? [[[NSNumber]]] ?? []
    return found.map { $0.map { $0.map(\.doubleValue) } }
  }

  @Test(
    "cube positions become the directions and distances of the reference for both mappings",
    .tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"),
    arguments: [
      (CubeMapping.eightCorners, "cube_angles.json", "cases"),
      (CubeMapping.fiveCorners, "conversion.json", "cart_to_polar"),
    ])
  func cubePositionsBecomeDirections(mapping: CubeMapping, file: String, list: String) throws {
    let cases = try cases(file, list)
    #expect(cases.count >= 60)
    for pair in cases {
      let position = ObjectPosition.cartesian(x: pair[0][0], y: pair[0][1], z: pair[0][2])
      let (direction, distance) = ObjectAngles(mapping).direction(of: position)
      let made = UnitVector.of(direction) * distance
      let wanted =
        UnitVector.of(Direction(azimuth: pair[1][0], elevation: pair[1][1])) * pair[1][2]
      let gap = made - wanted
      #expect(UnitVector.dot(gap, gap).squareRoot() < 1e-6, "\(pair): \(direction), \(distance)")
    }
  }

  @Test(
    "cube sizes become the angles and depths of the reference within 1e-5", .tags(.media),
    .enabled(if: ObjectCases.isPresent, "../shared is missing"))
  func cubeSizesBecomeAngles() throws {
    for pair in try cases("conversion.json", "extent_cart_to_polar") {
      let (given, wanted) = (pair[0], pair[1])
      let state = ObjectState(
        position: .cartesian(x: given[0], y: given[1], z: given[2]),
        extent: ObjectExtent(width: given[3], height: given[5], depth: given[4]))
      let angles = ObjectAngles(.fiveCorners)
      let extent = angles.angularExtent(of: state, angles.direction(of: state.position).direction)
      let made = [extent.width, extent.height, extent.depth]
      #expect(zip(made, wanted[3...]).allSatisfy { ($0 - $1).magnitude < 1e-5 }, "\(pair): \(made)")
    }
  }

  /// Azimuth and elevation of points by their rays; azimuths are positive to the left.
  @Test("the ray mapping gives eight cube positions their azimuth, elevation and distance")
  func raysKeepTheirElevation() {
    let cases: [(ObjectPosition, Double, Double, Double)] = [
      (.cartesian(x: -1, y: 1, z: 0), 30, 0, 1), (.cartesian(x: 1, y: 1, z: 1), -30, 45, 1),
      (.cartesian(x: 1, y: 0, z: 1), -90, 45, 1), (.cartesian(x: -1, y: -1, z: 0), 135, 0, 1),
      (.cartesian(x: 0, y: -1, z: -1), 180, -45, 1), (.cartesian(x: 0, y: 0.5, z: 0), 0, 0, 0.5),
      (.cartesian(x: 0, y: 0, z: 1), 0, 90, 1), (.cartesian(x: 0.5, y: 1, z: 0), -17.71, 0, 1),
    ]
    for (position, azimuth, elevation, distance) in cases {
      let found = ObjectAngles(.rays).direction(of: position)
      #expect((found.direction.azimuth - azimuth).magnitude < 0.01, "\(position)")
      #expect((found.direction.elevation - elevation).magnitude < 0.01, "\(position)")
      #expect((found.distance - distance).magnitude < 1e-9, "\(position)")
    }
  }

  @Test("cube corners have the directions of the loudspeakers of 7.1.4")
  func cornersAreWhereA714BedHasThem() {
    let layout = Render.format("7.1.4").layout
    let corners: [(Speaker, Double, Double, Double)] = [
      (.frontLeft, -1, 1, 0), (.frontRight, 1, 1, 0), (.frontCenter, 0, 1, 0),
      (.sideLeft, -1, 0, 0), (.backRight, 1, -1, 0),
    ]
    for (speaker, x, y, z) in corners {
      let index = layout.speakers.firstIndex(of: speaker) ?? 0
      let direction = ObjectAngles().direction(of: .cartesian(x: x, y: y, z: z)).direction
      let gap = UnitVector.of(direction) - UnitVector.of(layout.direction(at: index))
      #expect(UnitVector.dot(gap, gap) < 1e-20, "\(speaker): \(direction)")
    }
  }

  @Test("an object of 40° is 360° wide at distance 0, 60…120° at 0.5 and under 40° at 2")
  func sizesGrowNearby() {
    let place = { (distance: Double, width: Double) in
      ObjectAngles().place(
        of: ObjectState(
          position: .polar(Direction(azimuth: 20), distance: distance),
          extent: ObjectExtent(width: width)))
    }
    #expect(place(1, 40).width == 40)
    #expect(place(1, 0).height == 0)
    #expect((place(0, 40).width - 360).magnitude < 1e-9)
    #expect(place(0.5, 40).width > 60 && place(0.5, 40).width < 120)
    #expect(place(2, 40).width < 40)
  }

  @Test("labels set a loudspeaker's direction when its position is near, and bounds do too")
  func speakersStandWhereTheirLabelsSay() {
    let places = SpeakerPlaces(angles: ObjectAngles())
    func direction(_ labels: [String], _ azimuth: Double, _ elevation: Double = 0) -> Direction {
      places.direction(
        of: SpeakerChannel(labels: labels),
        at: .polar(Direction(azimuth: azimuth, elevation: elevation), distance: 1))
    }
    #expect(direction(["M+030"], 26) == Direction(azimuth: 30))
    #expect(direction(["urn:itu:bs:2051:0:speaker:U-110"], -112, 33).elevation == 30)
    #expect(direction(["M+030"], 15) == Direction(azimuth: 15))
    #expect(direction(["mine"], 47, 3) == Direction(azimuth: 47, elevation: 3))
    #expect(direction(["RC_Rts"], 0) == Direction(azimuth: -90, elevation: 45))
    let bounds = SpeakerChannel(
      labels: ["M+110"], least: .init(first: 100, second: 0),
      greatest: .init(first: 135, second: 15))
    let wide = ObjectPosition.polar(Direction(azimuth: 130), distance: 1)
    #expect(places.direction(of: bounds, at: wide) == Direction(azimuth: 110))
  }

  @Test("stereo pan gains at 0, ±15, ±30, 90, −110 and 180° follow the law")
  func straightObjectsFollowTheStereoLaw() {
    for (azimuth, gains) in [(0.0, SIMD2(0.5, 0.5).squareRoot()), (30, [1, 0]), (-30, [0, 1])] {
      let gap = StereoPan.gains(azimuth: azimuth) - gains
      #expect(max(gap.max(), -gap.min()) < 1e-12, "\(azimuth)°")
    }
    #expect((StereoPan.gains(azimuth: 90).x - 0.83).magnitude < 0.1)
    #expect((StereoPan.gains(azimuth: -110).y - 0.5.squareRoot()).magnitude < 1e-9)
    let back = StereoPan.gains(azimuth: 180)
    #expect((back.x - 0.5).magnitude < 1e-9 && (back.y - 0.5).magnitude < 1e-9)
    let part = StereoPan.gains(azimuth: 15)
    #expect((part.x * part.x + part.y * part.y - 1).magnitude < 1e-12)
  }
}
