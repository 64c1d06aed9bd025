// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Channels in mirrored positions share their transforms, and their outputs mirror to the last bit.
@Suite struct MirrorTests {
  private func noise(_ channels: Int, _ frames: Int) -> [[Float]] {
    var source = SeededNoise(seed: 61)
    return (0..<channels).map { _ in source.samples(frames, peak: 0.5) }
  }

  @Test(
    "exchanged channels exchange the ears and the loudspeaker feeds to the last bit",
    arguments: ["stereo", "5.1", "7.1.4"])
  func exchangedChannelsExchangeTheEars(layout: String) throws {
    let hrtf = try HRTFSet.builtIn()
    let format = Render.format(layout)
    let places = format.layout.speakers.indices.map { format.layout.direction(at: $0) }
    let exchange = format.layout.speakers.indices.map { channel -> Int in
      guard !format.layout.speakers[channel].isLFE else { return channel }
      let mirror = Direction(
        azimuth: -places[channel].azimuth, elevation: places[channel].elevation)
      return format.layout.speakers.indices.first {
        places[$0] == mirror && !format.layout.speakers[$0].isLFE
      } ?? channel
    }
    let signal = noise(format.channels, 9000)
    let turned = exchange.map { signal[$0] }
    #expect(turned != signal)
    let ears = try Render.all(signal, format, hrtf)
    #expect(try Render.all(turned, format, hrtf) == ears.reversed())
    let stage = { BedStage(hrtf: hrtf) }
    let feeds = try StageVerifier.run(stage(), format: format, signal: signal, blockSize: 0)
    let other = try StageVerifier.run(stage(), format: format, signal: turned, blockSize: 0)
    #expect(other == feeds.reversed())
  }

  @Test("a direction ahead is the same in both ears") func whatIsAheadIsTheSameInBothEars() throws {
    let ears = try Render.all(noise(1, 9000), Render.format("mono"), HRTFSet.builtIn())
    #expect(ears[0] == ears[1] && ears[0].contains { $0 != 0 })
  }

  @Test("the channels of 5.0 are convolved as pairs ahead and one by one under a turned head")
  func onlyMirroredResponsesArePaired() throws {
    let hrtf = try HRTFSet.builtIn()
    let format = Render.format("5.0")
    func sources(_ pose: HeadPose) throws -> [ConvolverInput] {
      let bank = try BedFilters(hrtf, format, SceneOptions(pose: pose))
      return ConvolverInput.list(left: bank.left, right: bank.right)
    }
    let ahead = try sources(.ahead)
    #expect(
      ahead.map(\.source) == [
        .sum(0, 1), .difference(0, 1), .channel(2), .sum(3, 4), .difference(3, 4),
      ])
    #expect(ahead.map { $0.side == nil } == [true, false, true, true, false])
    #expect(ahead.map { $0.middle == nil } == [false, true, false, false, true])
    let turned = try sources(HeadPose(yaw: 10))
    #expect(turned.map(\.source) == (0..<5).map { .channel($0) })
    #expect(turned.allSatisfy { $0.middle != nil && $0.side != nil })
  }
}
