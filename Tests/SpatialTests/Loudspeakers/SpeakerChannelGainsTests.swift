// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Channels that are made for loudspeakers (ITU-R BS.2127-1, 8).
@Suite struct SpeakerChannelGainsTests {
  private static let side = 0.5.squareRoot()

  /// Gains above 0 by name, rounded to six digits.
  private func gains(
    _ layout: String, _ channel: SpeakerChannel, _ position: ObjectPosition
  ) throws -> [String: Double] {
    let layout = try #require(LoudspeakerLayout.named(layout))
    let gains = SpeakerChannelGains(layout).gains(of: channel, at: position)
    #expect(gains.count == layout.speakers.count)
    let heard = zip(layout.speakers.map(\.name), gains).filter { $0.1 != 0 }
    return Dictionary(uniqueKeysWithValues: heard.map { ($0, ($1 * 1e6).rounded() / 1e6) })
  }

  private func polar(_ azimuth: Double, _ elevation: Double = 0) -> ObjectPosition {
    .polar(Direction(azimuth: azimuth, elevation: elevation), distance: 1)
  }

  @Test("M+110 and M+000 of a 5.1 pack have the gains of the rules in 0+2+0 and 0+7+0")
  func commonPacksFollowTheRules() throws {
    let surround = SpeakerChannel(labels: ["M+110"], pack: "AP_00010003")
    #expect(try gains("0+2+0", surround, polar(110)) == ["M+030": 0.707107])
    #expect(try gains("0+7+0", surround, polar(110)) == ["M+135": 1])
    let centre = SpeakerChannel(labels: ["M+000"], pack: "AP_00010003")
    #expect(try gains("0+2+0", centre, polar(0)) == ["M+030": 0.707107, "M-030": 0.707107])
  }

  @Test("M+090 of two packs and LFE2 have gains that depend on the pack and the layout")
  func someRulesHoldForSomeLayoutsOnly() throws {
    let wide = SpeakerChannel(labels: ["M+090"], pack: "AP_00010009")
    #expect(try gains("0+5+0", wide, polar(90)) == ["M+030": 0.57735, "M+110": 0.816497])
    let side = SpeakerChannel(labels: ["M+090"], pack: "AP_0001000f")
    #expect(try gains("0+5+0", side, polar(90)) == ["M+030": 0.707107, "M+110": 0.707107])
    let bass = SpeakerChannel(labels: ["LFE2"], pack: "AP_00010009", isLFE: true)
    #expect(try gains("9+10+3", bass, polar(-45, -30)) == ["LFE2": 1])
    #expect(try gains("4+7+0", bass, polar(-45, -30)) == ["LFE1": 0.707107])
  }

  @Test(
    "a label without a pack is played by its loudspeaker, and an LFE label of a main channel is ignored"
  )
  func otherPacksGoByTheLabel() throws {
    let urn = SpeakerChannel(labels: ["Left", "urn:itu:bs:2051:0:speaker:M-110"])
    #expect(try gains("0+5+0", urn, polar(45)) == ["M-110": 1])
    let bass = SpeakerChannel(labels: ["LFEL"], isLFE: true)
    #expect(try gains("0+5+0", bass, polar(0)) == ["LFE1": 1])
    // A label of the other kind isn't followed.
    let voice = SpeakerChannel(labels: ["LFE1"])
    #expect(try gains("0+5+0", voice, polar(-30)) == ["M-030": 1])
  }

  @Test("bounds with one loudspeaker choose it, and with two alike they leave it to the panner")
  func boundsChooseALoudspeaker() throws {
    var channel = SpeakerChannel()
    channel.least.first = 90
    channel.greatest.first = 120
    #expect(try gains("0+5+0", channel, polar(95)) == ["M+110": 1])
    // Two at the same distance: none is chosen, the panner plays it.
    (channel.least.first, channel.greatest.first) = (-30, 30)
    channel.least.third = 0.5
    #expect(try gains("0+2+0", channel, polar(0)) == ["M+030": 0.707107, "M-030": 0.707107])
  }

  @Test("a label without a rule is panned to its position") func theRestIsPanned() throws {
    let channel = SpeakerChannel(labels: ["X"])
    #expect(try gains("0+5+0", channel, polar(110)) == ["M+110": 1])
    let room = ObjectPosition.cartesian(x: -1, y: 0, z: 1)
    #expect(
      try gains("4+7+0", channel, room) == ["U+045": 0.707107, "U+135": 0.707107])
  }

  @Test("an LFE channel plays LFE1 of 0+5+0 and nothing in 0+2+0")
  func bassGoesToBassOrNowhere() throws {
    let bass = SpeakerChannel(labels: ["RC_LFE"], isLFE: true)
    #expect(try gains("0+5+0", bass, polar(10)) == ["LFE1": 1])
    #expect(try gains("0+2+0", bass, polar(30)) == [:])
  }
}
