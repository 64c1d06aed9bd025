// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Inspection

/// Both ends of an excerpt are faded, and nothing else is changed.
struct EdgeFadeTests {
  private let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  private func faded(_ count: Int) throws -> [Float] {
    let signal = [[Float]](repeating: [Float](repeating: 1, count: count), count: 2)
    let planes = try StageVerifier.run(EdgeFade(), format: format, signal: signal, blockSize: 480)
    #expect(planes[0] == planes[1])
    return planes[0]
  }

  @Test("the first and last 960 samples are faded and the others unchanged")
  func onlyTheEndsAreFaded() throws {
    let plane = try faded(9600)
    #expect(plane.count == 9600 && plane.first == 0 && plane.last == 0)
    #expect(plane[960..<8640].allSatisfy { $0 == 1 })
    #expect(plane[480] == 0.5 && plane[240] == 0.25)
    #expect(zip(plane[..<960], plane[1...]).allSatisfy { $0 < $1 })
    #expect(zip(plane[8640...], plane[8641...]).allSatisfy { $0 > $1 })
  }

  @Test("sounds of 1…1500 samples keep their length when faded")
  func shortSoundsKeepTheirLength() throws {
    for count in [1, 100, 960, 1500] { #expect(try faded(count).count == count) }
  }

  @Test("each of 1 to 24 channels is faded as it is alone") func channelsAreFadedAlike() throws {
    #expect(try ChannelCounts.firstThatDiffers { _ in EdgeFade() } == nil)
  }

  @Test("edge fades have the same bits for blocks of any size")
  func blocksChangeNothing() throws {
    let noise = (0..<2).map { seed in
      var source = SeededNoise(seed: UInt64(seed))
      return source.samples(5000)
    }
    let different = try StageVerifier.firstDifference(format: format, signal: noise) { EdgeFade() }
    #expect(different == nil)
  }
}
