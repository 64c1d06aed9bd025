// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import IAMF

/// Output gains keep mixed channels within full scale, by as little as possible.
@Suite struct LayerPeaksTests {
  private static let limit = 32_767.0 / 32_768

  private func gains(
    _ stack: [Int], _ level: [String: Double]
  ) throws -> (WrittenProgramme, WrittenElement) {
    var random = SeededNoise(seed: 41)
    let programme = WrittenProgramme(stack, 400, &random, mode: 1, weight: 5, level: level)
    var element = try programme.element(mode: 1, weight: 5)
    var peaks = LayerPeaks(element)
    for start in [0, 100] {
      let part = AudioBuffer(channels: programme.planes.channels)
      part.append(programme.planes, range: start..<(start == 0 ? 100 : 400))
      peaks.add(part)
    }
    element.outputGains = peaks.outputGains
    return (programme, element)
  }

  @Test(
    "output gains attenuate only mixed channels above full scale, never channels of the programme")
  func onlyWhatIsTooLoudIsAttenuated() throws {
    // Loud surrounds make L2 and L3 too loud, loud tops only Ltf3.
    let quiet = ["L": 0.1, "R": 0.1, "C": 0.1]
    let soft = quiet.merging(["Ls": 0.1, "Rs": 0.1, "Ltf": 0.1, "Rtf": 0.1]) { $1 }
    let cases: [([Int], [String: Double], [Int?])] = [
      ([3], [:], [nil]), ([1, 8, 3], soft, [nil, nil, nil]),
      // L2 R2; then Ltf3 Rtf3.
      ([1, 8, 3], soft.merging(["C": 2]) { $1 }, [0b110000, nil, nil]),
      ([1, 8, 3], soft.merging(["Rtf": 1.5]) { $1 }, [nil, 0b000011, nil]),
      // In the first layer of 3.1.2 all four.
      ([8, 3], soft.merging(["Rtf": 1.5]) { $1 }, [0b110011, nil]),
      // Surrounds of 5.1.2 from 7.1.4, and the tops.
      ([3, 7], ["Lss": 1.2, "Lrs": 1.2], [0b001111, nil]),
      // Mono, and the left channel above it.
      ([0, 1, 2], [:], [0b100000, 0b100000, nil]),
      // Channels of the programme are never attenuated.
      ([2, 3], ["L": 3, "Ls": 3], [nil, nil]),
    ]
    for (stack, level, flags) in cases {
      let (_, element) = try gains(stack, level)
      #expect(element.outputGains.map { $0?.flags } == flags, "\(stack)")
    }
  }

  @Test("an attenuated layer's peak is within full scale, by less than one gain step of 1/256 dB")
  func theLoudestSampleIsJustWithinFullScale() throws {
    for stack in [[1, 7], [0, 1, 8, 4], [3, 7], [8, 5 + 1]] {
      let (programme, element) = try gains(stack, [:])
      let coded = AudioBuffer(channels: programme.planes.channels)
      LayerSplitter(element).split(programme.planes, into: coded)
      for (layer, gain) in element.outputGains.enumerated() {
        guard let gain else { continue }
        #expect((gain.gain * 256).rounded() == gain.gain * 256 && gain.gain > 0)
        let planes = programme.coded.indices.filter { programme.coded[$0].layer == layer }
        let names = planes.filter { index in
          let name = programme.coded[index].name
          return name.hasSuffix("2") || name.hasSuffix("3") || name == "Ls" || name == "Rs"
            || name == "M"
        }
        let peak = names.flatMap { coded.channel($0).map { Double($0.magnitude) } }.max() ?? 0
        #expect(peak <= LayerPeaksTests.limit)
        // One step less would be too little.
        #expect(peak * pow(10, 1 / (256 * 20.0)) > LayerPeaksTests.limit, "\(stack), \(layer)")
      }
    }
  }

  @Test("an output gain that restores 2 to 1 is 1542/256 dB, and none exceeds 32767/256 dB")
  func gainsAtTheirLimits() {
    let exact = ChannelLayer.OutputGain(flags: 1, restoring: 2, to: 1)
    #expect(exact.gain == 1542 / 256.0)
    let huge = ChannelLayer.OutputGain(flags: 1, restoring: .greatestFiniteMagnitude, to: 1)
    #expect(huge.gain == 32_767 / 256.0)
  }
}
