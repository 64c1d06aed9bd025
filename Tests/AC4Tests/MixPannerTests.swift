// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AC4

/// Panning of dialogue that a presentation puts at an angle (ETSI TS 103 190-1, 5.7.8.3).
@Suite struct MixPannerTests {
  /// Shares above 0 by loudspeaker, for an angle in steps of 1.5° to the right.
  private func shares(_ mode: Int, _ code: Int) throws -> [String: Double] {
    let mode = try #require(AC4ChannelMode(rawValue: mode))
    let found = MixPanner(mode).shares(code).filter { $0.share > 1e-12 }
    return Dictionary(
      uniqueKeysWithValues: found.map { (mode.codedSpeakers[$0.channel], $0.share) })
  }

  @Test(
    "dialogue at a loudspeaker's angle is in that loudspeaker alone",
    arguments: [
      (5, ["FC": 0, "FR": 20, "SR": 60, "BR": 90, "BL": 150, "SL": 180, "FL": 220]),
      (6, ["FC": 0, "FR": 20, "SR": 60, "BR": 90, "BL": 150, "SL": 180, "FL": 220]),
      (7, ["FC": 0, "FR": 20, "WR": 40, "SR": 60, "SL": 180, "WL": 200, "FL": 220]),
      (8, ["FC": 0, "FR": 20, "WR": 40, "SR": 60, "SL": 180, "WL": 200, "FL": 220]),
      (3, ["FC": 0, "FR": 20, "FL": 220]), (4, ["FC": 240, "FR": 260, "FL": 220]),
    ])
  func aLoudspeakersAngleIsItsOwn(mode: Int, codes: [String: Int]) throws {
    for (speaker, code) in codes {
      #expect(try shares(mode, code) == [speaker: 1], "\(speaker)")
    }
  }

  /// In five channels the surrounds stand at ±110°, in seven at ±90°.
  @Test(
    "dialogue at ±75° is shared with surrounds at ±110° in five channels and ±90° in seven",
    arguments: [(4, 110.0), (6, 90), (8, 90)])
  func surroundsStandWhereTheirLayoutHasThem(mode: Int, angle: Double) throws {
    let front = mode == 8 ? (60.0, "W") : (30, "F")
    let place = (75 - front.0) / (angle - front.0)
    for (code, side) in [(50, "R"), (190, "L")] {
      let found = try shares(mode, code)
      #expect(found.count == 2)
      #expect(((found["S" + side] ?? 0) - place).magnitude < 1e-9, "\(found)")
      #expect(((found[front.1 + side] ?? 0) - (1 - place)).magnitude < 1e-9, "\(found)")
    }
  }
}
