// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The effect of the rules of objects, by figures that need no reference.
@Suite struct ObjectGainsTests {
  private static let side = 0.5.squareRoot()

  /// Direct gains above 0 by name, rounded to six digits.
  private func gains(_ layout: String, _ state: ObjectState) throws -> [String: Double] {
    let layout = try #require(LoudspeakerLayout.named(layout))
    let gains = ObjectGains(layout).gains(of: state).direct
    let heard = zip(layout.speakers.map(\.name), gains).filter { $0.1 > 1e-9 }
    return Dictionary(uniqueKeysWithValues: heard.map { ($0, ($1 * 1e6).rounded() / 1e6) })
  }

  private func polar(_ azimuth: Double, _ elevation: Double = 0) -> ObjectPosition {
    .polar(Direction(azimuth: azimuth, elevation: elevation), distance: 1)
  }

  @Test(
    "an object of gain 0.5 and diffuseness 0.36 has a direct gain of 0.4 and a diffuse one of 0.3")
  func gainAndDiffusePartScaleThePower() throws {
    let layout = try #require(LoudspeakerLayout.named("0+5+0"))
    let state = ObjectState(position: polar(30), gain: 0.5, diffuse: 0.36)
    let gains = ObjectGains(layout).gains(of: state)
    #expect((gains.direct[0] - 0.4).magnitude < 1e-9)
    #expect((gains.diffuse[0] - 0.3).magnitude < 1e-9)
    #expect(gains.direct[3] == 0 && gains.diffuse[3] == 0)
  }

  @Test(
    "a channel lock plays the nearest loudspeaker alone unless it is beyond the lock's distance")
  func aLockTakesOneLoudspeakerIfItIsNear() throws {
    var state = ObjectState(position: polar(25))
    state.rules.lock = ObjectRules.ChannelLock()
    #expect(try gains("0+5+0", state) == ["M+030": 1])
    state.rules.lock = ObjectRules.ChannelLock(within: 0.05)
    #expect(try gains("0+5+0", state).count == 2)
    // Between two loudspeakers the right one comes first.
    state = ObjectState(position: .cartesian(x: 0, y: -1, z: 0))
    state.rules.lock = ObjectRules.ChannelLock()
    #expect(try gains("0+7+0", state) == ["M-135": 1])
  }

  /// A loudspeaker that lies exactly as far away as the lock reaches is taken.
  @Test("a channel lock takes a loudspeaker exactly at its distance and not one 0.001 beyond")
  func aLockReachesUpToItsDistance() throws {
    let chord = 2 * sin(2.5 * Double.pi / 180)
    for (position, distance) in [
      (polar(25), chord), (ObjectPosition.cartesian(x: -1, y: 0.5, z: 0), 0.5),
    ] {
      var state = ObjectState(position: position)
      state.rules.lock = ObjectRules.ChannelLock(within: distance)
      #expect(try gains("0+5+0", state) == ["M+030": 1])
      state.rules.lock = ObjectRules.ChannelLock(within: distance - 1e-3)
      #expect(try gains("0+5+0", state).count == 2)
    }
  }

  /// Points that diverge beyond a wall stay on it.
  @Test("points diverging beyond a wall are clipped to it")
  func divergenceEndsAtTheWalls() throws {
    let rules = ObjectRules.Divergence(value: 0.5, range: 0.5)
    for x in [0.75, -0.75] {
      let points = ObjectDivergence.parts(rules, at: SIMD3(x, 1, 0), isCartesian: true).map(\.point)
      #expect(
        points == [SIMD3(max(-1, x - 0.5), 1, 0), SIMD3(x, 1, 0), SIMD3(min(1, x + 0.5), 1, 0)])
    }
  }

  @Test("a divergence of 1 plays both sides alone, and 0.5 plays them and the centre alike")
  func divergencePlaysBothSides() throws {
    var state = ObjectState(position: polar(0))
    state.rules.divergence = ObjectRules.Divergence(value: 1, range: 30)
    #expect(
      try gains("0+5+0", state)
        == ["M+030": 0.707107, "M-030": 0.707107])
    state.position = .cartesian(x: 0, y: 1, z: 0)
    state.rules.divergence = ObjectRules.Divergence(value: 0.5, range: 1)
    #expect(
      try gains("0+5+0", state)
        == ["M+030": 0.57735, "M-030": 0.57735, "M+000": 0.57735])
  }

  @Test("loudspeakers in an excluded zone are silent and their neighbours share the power")
  func excludedLoudspeakersAreSilent() throws {
    let front = ObjectRules.Zone.sector(
      fromAzimuth: -20, toAzimuth: 20, elevations: -10...10)
    var state = ObjectState(position: polar(0))
    state.rules.zones = [front]
    #expect(
      try gains("0+5+0", state)
        == ["M+030": 0.707107, "M-030": 0.707107])
    // Without the side walls, a point between front and back is played by both.
    state.position = .cartesian(x: -1, y: 0, z: 0)
    state.rules.zones = [.box(x: -1 ... -0.9, y: -0.1...0.1, z: -0.1...0.1)]
    #expect(
      try gains("0+7+0", state)
        == ["M+030": 0.707107, "M+135": 0.707107])
  }

  @Test("an extent of 360° plays all 11 loudspeakers with equal gains for two positions")
  func aWholeExtentIsHeardAllRound() throws {
    let extent = ObjectExtent(width: 360, height: 360)
    let heard = try gains("4+7+0", ObjectState(position: polar(77), extent: extent))
    #expect(heard.count == 11)
    // The position no longer matters.
    #expect(try gains("4+7+0", ObjectState(position: polar(-12, 30), extent: extent)) == heard)
  }

  @Test("coordinates outside the room are clipped to its corner")
  func coordinatesOutsideTheRoomAreClipped() throws {
    let state = ObjectState(position: .cartesian(x: -3, y: 8, z: -2))
    #expect(try gains("0+5+0", state) == ["M+030": 1])
  }
}
