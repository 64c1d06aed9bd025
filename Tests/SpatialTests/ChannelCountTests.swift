// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// No channel of 1 to 24 gets lost where channels are worked on in pairs and groups.
@Suite struct ChannelCountTests {
  private func format(_ count: Int) -> AudioFormat {
    AudioFormat(sampleRate: 48_000, layout: ChannelCounts.layout(count))
  }

  @Test("each of 1 to 24 channels is convolved as it is alone")
  func responsesAreThoseOfEachChannel() throws {
    var noise = SeededNoise(seed: 3)
    let response = noise.samples(301, peak: 0.1).map(Double.init)
    let different = try ChannelCounts.firstThatDiffers { format in
      ImpulseFilter(
        .each([[Double]](repeating: response, count: format.channels)), beginning: 0)
    }
    #expect(different == nil)
  }

  @Test("each of 1 to 24 channels is convolved with its own response within −120 dB")
  func responsesAreEachForItsOwn() throws {
    for count in ChannelCounts.all {
      let responses = ChannelCounts.noise(count, 64).map { $0.map(Double.init) }
      let signal = ChannelCounts.noise(count, 500)
      let output = try StageVerifier.run(
        ImpulseFilter(.each(responses), beginning: 0), format: format(count), signal: signal,
        blockSize: 480)
      for channel in 0..<count {
        let wanted = Render.direct([signal[channel]], [responses[channel]])
        let error = Render.difference(output[channel].map(Double.init), wanted)
        #expect(error <= -120, "channel \(channel + 1) of \(count): \(error) dB")
      }
    }
  }

  @Test(
    "1 to 24 loudspeakers reach both ears as by direct convolution within −110 dB, of a head at rest and of one on its way",
    arguments: ChannelCounts.all)
  func everyLoudspeakerIsHeard(count: Int) throws {
    let hrtf = try HRTFSet.builtIn()
    let signal = ChannelCounts.noise(count, 1500)
    let bank = try BedFilters(hrtf, format(count), SceneOptions())
    let ways = [nil, try HeadTrajectory(csv: "0,0,0,0\n0.05,0,0,0")]
    for way in ways {
      let ears = try Render.all(
        signal, format(count), hrtf, options: SceneOptions(trajectory: way))
      for (ear, filters) in [bank.left, bank.right].enumerated() {
        let error = Render.difference(
          ears[ear].map(Double.init), Render.direct(signal, filters))
        #expect(error <= -110, "ear \(ear), \(way == nil ? "at rest" : "on its way"): \(error) dB")
      }
    }
  }

  @Test("a layout of 1 to 24 channels mixed to itself keeps each bit")
  func aMixToItselfChangesNothing() throws {
    for count in ChannelCounts.all {
      let signal = ChannelCounts.noise(count, 500)
      let output = try StageVerifier.run(
        Downmixer(to: ChannelCounts.layout(count)), format: format(count), signal: signal,
        blockSize: 480)
      #expect(output == signal, "\(count) channels")
    }
  }
}
