// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Sound fields for loudspeakers.
@Suite struct SceneDecoderTests {
  @Test("a decoder's harmonics agree with closed forms of ITU-R BS.2076 within 1e-14")
  func harmonicsAreThoseOfTheStandard() {
    // ACN 0…4 of ITU-R BS.2076 in closed form, and one of the third order.
    let (turn, rise) = (0.7, 0.4)
    let point = RoomGeometry.point(azimuth: turn * 180 / .pi, elevation: rise * 180 / .pi)
    let values = SceneDecoder.harmonics(at: point, order: 3)
    let expected = [
      1, sin(turn) * cos(rise), sin(rise), cos(turn) * cos(rise),
      3.0.squareRoot() / 2 * sin(2 * turn) * cos(rise) * cos(rise),
    ]
    #expect(values.count == 16)
    for (value, wanted) in zip(values, expected) { #expect((value - wanted).magnitude < 1e-14) }
    let last = (5.0 / 8).squareRoot() * cos(3 * turn) * pow(cos(rise), 3)
    #expect((values[15] - last).magnitude < 1e-14)
  }

  @Test(
    "decoder tables of all layouts agree with the design for orders 0…5 within 3e-4",
    arguments: LoudspeakerLayout.all.map(\.name))
  func theDesignIsThatOfTheTable(name: String) throws {
    let layout = try #require(LoudspeakerLayout.named(name))
    for order in [0, 1, 3, 5] {
      let table = try SceneDecoder(order: order, layout: layout).gains
      let design = SceneDecoder.design(order: order, layout: layout)
      #expect(table.count == layout.mains.count)
      for (row, other) in zip(table, design) {
        #expect(row.count == (order + 1) * (order + 1))
        #expect(row.count == other.count)
        #expect(zip(row, other).allSatisfy { ($0 - $1).magnitude < 3e-4 }, "\(name) \(order)")
      }
    }
  }

  @Test(
    "a decoder for 4+7+0 has a mean power of 1 over the sphere within 0.001", arguments: [2, 6, 7])
  func theMeanPowerIsOne(order: Int) throws {
    let layout = try #require(LoudspeakerLayout.named("4+7+0"))
    let gains = try SceneDecoder(order: order, layout: layout).gains
    // Another number of points than the design's.
    let points = UnitVector.lattice(3001)
    let power = points.reduce(0.0) { sum, point in
      let values = SceneDecoder.harmonics(at: point, order: order)
      return sum
        + gains.reduce(0) { $0 + pow(zip($1, values).reduce(0) { $0 + $1.0 * $1.1 }, 2) }
    }
    #expect((power / 3001 - 1).magnitude < 1e-3)
  }

  @Test("a decoder of order 8 is refused with the highest order and its own")
  func higherOrdersAreRefusedByNumber() throws {
    let layout = try #require(LoudspeakerLayout.named("0+5+0"))
    let error = #expect(throws: MediaError.self) { try SceneDecoder(order: 8, layout: layout) }
    #expect(error?.kind == .unsupportedFeature)
    #expect(
      error?.message.contains("up to order 7, but the programme holds one of order 8") == true)
  }
}
