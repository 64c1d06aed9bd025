// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Gains are those of another implementation of ITU-R BS.2127, up to the rounding of its files.
@Suite(.tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"))
struct GainVectorTests {
  private static let tolerance = 2e-6

  /// The largest difference between two rows.
  private func difference(_ one: [Double], _ other: [Double]) -> Double {
    guard one.count == other.count else { return .infinity }
    return zip(one, other).map { ($0 - $1).magnitude }.max() ?? 0
  }

  @Test("point-source gains of all layouts are those of the reference within 2e-6")
  func directionsArePannedInAllLayouts() throws {
    let file = try GainVectors.read("vectors/point_source.json", as: GainVectors.Points.self)
    let directions = try #require(file.directions)
    #expect(file.gains.count == LoudspeakerLayout.all.count)
    for (name, rows) in file.gains {
      let panner = PointSourcePanner(try #require(LoudspeakerLayout.named(name)))
      #expect(rows.count == directions.count)
      for (direction, row) in zip(directions, rows) {
        let gains = panner.gains(
          RoomGeometry.point(azimuth: direction[0], elevation: direction[1]))
        #expect(difference(gains, row) < GainVectorTests.tolerance, "\(name) \(direction)")
      }
    }
  }

  @Test("allocentric gains of all layouts are those of the reference within 2e-6")
  func pointsOfTheRoomArePannedInAllLayouts() throws {
    let file = try GainVectors.read("vectors/allocentric.json", as: GainVectors.Points.self)
    let positions = try #require(file.positions)
    #expect(file.gains.count == LoudspeakerLayout.all.count)
    for (name, rows) in file.gains {
      let layout = try #require(LoudspeakerLayout.named(name))
      let panner = AllocentricPanner(layout.mainSpeakers.map(\.corner))
      #expect(rows.count == positions.count)
      for (place, row) in zip(positions, rows) {
        let gains = panner.gains(SIMD3(place[0], place[1], place[2]))
        #expect(difference(gains, row) < GainVectorTests.tolerance, "\(name) \(place)")
      }
    }
  }

  @Test(
    "direct and diffuse gains of 240 objects are those of the reference within 2e-6",
    arguments: ["0+2+0", "0+5+0", "4+7+0", "9+10+3"])
  func objectsWithAllRulesHaveTheGains(name: String) throws {
    let file = try GainVectors.read("vectors/object_gains.json", as: GainVectors.Objects.self)
    #expect(file.cases.count == 240)
    let calculator = ObjectGains(try #require(LoudspeakerLayout.named(name)))
    for (number, row) in file.cases.enumerated() {
      let gains = calculator.gains(of: row.block.state)
      let direct = try difference(gains.direct, #require(row.direct[name]))
      let diffuse = try difference(gains.diffuse, #require(row.diffuse[name]))
      #expect(max(direct, diffuse) < GainVectorTests.tolerance, "\(number): \(row.block)")
    }
  }
}
