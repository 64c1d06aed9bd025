// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Properties that hold for gains everywhere, whatever a reference says.
@Suite struct PannerTests {
  /// Random places, the same ones each time.
  private func points(_ count: Int) -> [SIMD3<Double>] {
    var noise = SeededNoise(seed: 12)
    return (0..<count).map { _ in
      SIMD3(
        Double.random(in: -1...1, using: &noise), Double.random(in: -1...1, using: &noise),
        Double.random(in: -1...1, using: &noise))
    }
  }

  @Test("panning keeps the power 1 in each direction", arguments: LoudspeakerLayout.all.map(\.name))
  func thePowerIsOneEverywhere(name: String) throws {
    let layout = try #require(LoudspeakerLayout.named(name))
    let sphere = PointSourcePanner(layout)
    let room = AllocentricPanner(layout.mainSpeakers.map(\.corner))
    // Two loudspeakers play the back more softly.
    let least = name == "0+2+0" ? 0.5.squareRoot() : 1
    for point in points(4000) {
      let level = GainVector.norm(sphere.gains(point))
      #expect(level > least - 1e-9 && level < 1 + 1e-9, "\(point)")
      #expect((GainVector.norm(room.gains(point)) - 1).magnitude < 1e-9, "\(point)")
    }
  }

  @Test(
    "a loudspeaker's own direction gives it a gain of 1", arguments: ["0+5+0", "4+7+0", "9+10+3"])
  func aLoudspeakersDirectionIsPlayedByItAlone(name: String) throws {
    let layout = try #require(LoudspeakerLayout.named(name))
    let panner = PointSourcePanner(layout)
    for (index, speaker) in layout.mainSpeakers.enumerated() {
      let gains = panner.gains(speaker.place)
      #expect((gains[index] - 1).magnitude < 1e-9, "\(speaker.name)")
    }
  }

  @Test("a direction of NaN or infinity gives silence") func nonsenseIsSilence() throws {
    let calculator = ObjectGains(try #require(LoudspeakerLayout.named("4+7+0")))
    let direction = Direction(azimuth: .nan)
    let states = [
      ObjectState(position: .polar(direction, distance: 1)), ObjectState(gain: .infinity),
      ObjectState(position: .cartesian(x: .nan, y: 0, z: 0)),
      ObjectState(extent: ObjectExtent(width: .nan)),
    ]
    for state in states {
      let gains = calculator.gains(of: state)
      #expect((gains.direct + gains.diffuse).allSatisfy { $0.isFinite })
    }
  }

  @Test("azimuth ranges go to the left, across ±180°, and hold their edges")
  func azimuthRangesGoToTheLeft() {
    let holds = { (azimuth: Double, from: Double, to: Double) in
      RoomGeometry.contains(azimuth, from: from, to: to, tolerance: 1e-6)
    }
    #expect(holds(30, -180, 180) && holds(180, -180, 180) && holds(-180, 0, 180))
    #expect(holds(170, 150, -150) && holds(-170, 150, -150) && !holds(0, 150, -150))
    #expect(holds(30, 30, 30) && !holds(31, 30, 30) && holds(30.0000005, 0, 30))
  }
}
