// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

@Suite struct EnhancementTests {
  private func frames(_ count: Int, slots: Int) -> [SubbandFrame] {
    var noise = SeededNoise(seed: 77)
    return (0..<count).map { _ in
      let frame = SubbandFrame(slots: slots)
      for band in 0..<64 {
        for slot in 0..<slots {
          frame.real.row(band)[slot] = Float.random(in: -1...1, using: &noise)
          frame.imaginary.row(band)[slot] = Float.random(in: -1...1, using: &noise)
        }
      }
      return frame
    }
  }

  private func data(_ method: Int, channels: Int, isMidSide: Bool = false) -> AC4DialogueEnhancement
  {
    var data = AC4DialogueEnhancement()
    data.method = method
    data.channels = channels
    data.maximumGain = 9
    data.isMidSide = isMidSide
    for place in 0..<24 { data.parameters[place] = place % 8 + 3 }
    return data
  }

  /// Applies the same data to two frames; the second has nothing to fade from.
  private func settled(_ data: AC4DialogueEnhancement, gain: Double) -> (
    before: [SubbandFrame], after: [SubbandFrame]
  ) {
    let enhancer = DialogueEnhancer(.stereo, gain: gain)
    let matrices = Buffer<Float>(0, count: DialogueEnhancer.matrixCount)
    enhancer.setMatrices(data, into: matrices.base)
    enhancer.apply(frames(2, slots: 16), matrices.base, slots: 16)
    let after = frames(2, slots: 16)
    enhancer.apply(after, matrices.base, slots: 16)
    return (frames(2, slots: 16), after)
  }

  private static let borders = [0, 1, 2, 4, 7, 11, 17, 27, 41, 64]

  @Test("dialogue enhancement with parameters for each channel raises each channel by its own")
  func eachChannelByItself() {
    // 20 dB are asked for, 9 dB allowed.
    let (before, after) = settled(data(0, channels: 0b110), gain: 20)
    let factor = Float(pow(10, 9.0 / 20) - 1)
    for band in 0..<9 {
      for subband in EnhancementTests.borders[band]..<EnhancementTests.borders[band + 1] {
        let wanted = band < 8 ? 1 + factor * Float(band + 3) / 10 : 1
        for channel in 0..<2 {
          let ratio = after[channel].real.row(subband)[5] / before[channel].real.row(subband)[5]
          #expect(abs(ratio - wanted) < 1e-4)
        }
      }
    }
  }

  @Test("dialogue enhancement of the mid signal raises the sum of left and right")
  func theMidSignalAlone() {
    let (before, after) = settled(data(0, channels: 0b110, isMidSide: true), gain: 6)
    let factor = Float(pow(10, 6.0 / 20) - 1)
    for band in 0..<8 {
      let subband = EnhancementTests.borders[band]
      let old = before.map { $0.real.row(subband)[3] }
      let new = after.map { $0.real.row(subband)[3] }
      #expect(abs((new[0] - new[1]) - (old[0] - old[1])) < 1e-5)
      let wanted = (old[0] + old[1]) * (1 + factor * Float(band + 3) / 10)
      #expect(abs(new[0] + new[1] - wanted) < 1e-5)
    }
  }

  /// Across channels no parameter is beyond ±3, whatever the differences add up to.
  @Test("parameters of dialogue enhancement across channels are held to ±3")
  func parametersAcrossChannelsHaveBounds() {
    func matrices(_ parameter: Int) -> [Float] {
      var crossing = data(1, channels: 0b110)
      crossing.mixIndices = [16, 0]
      crossing.parameters = [Int](repeating: parameter, count: 24)
      let matrices = Buffer<Float>(0, count: DialogueEnhancer.matrixCount)
      DialogueEnhancer(.stereo, gain: 9).setMatrices(crossing, into: matrices.base)
      return (0..<DialogueEnhancer.matrixCount).map { matrices.base[$0] }
    }
    #expect(matrices(31) == matrices(30) && matrices(1024) == matrices(30))
    #expect(matrices(-31) == matrices(-30) && matrices(-1024) == matrices(-30))
    #expect(matrices(29) != matrices(30) && matrices(-29) != matrices(-30))
  }

  @Test("dialogue enhancement across channels has the standard's matrix") func acrossChannels() {
    var crossing = data(1, channels: 0b110)
    crossing.mixIndices = [16, 0]
    let (before, after) = settled(crossing, gain: 6)
    let factor = Float(pow(10, 6.0 / 20) - 1)
    let mix: [Float] = [0.7071, (1 - 0.7071 * 0.7071).squareRoot()]
    for band in 0..<8 {
      let subband = EnhancementTests.borders[band]
      let old = before.map { $0.real.row(subband)[3] }
      let dialogue = (old[0] + old[1]) * Float(band + 3) / 10
      for channel in 0..<2 {
        let wanted = old[channel] + factor * mix[channel] * dialogue
        #expect(abs(after[channel].real.row(subband)[3] - wanted) < 1e-5)
      }
    }
  }

  /// Shares come in pairs whose powers add up to 1, so the other share of a pair exchanges two channels.
  @Test(
    "paired shares of dialogue enhancement exchange the gains of two channels within 5e-4",
    arguments: (0...13).map { ($0, 31 - $0) } + [(15, 17), (16, 16)])
  func sharesComeInPairs(one: Int, other: Int) {
    func shares(_ index: Int) -> [Float] {
      var crossing = data(1, channels: 0b110)
      crossing.mixIndices = [index, 0]
      crossing.parameters = [Int](repeating: 10, count: 24)
      let matrices = Buffer<Float>(0, count: DialogueEnhancer.matrixCount)
      DialogueEnhancer(.stereo, gain: 6).setMatrices(crossing, into: matrices.base)
      // Shares of the left input in the left output, and in the right one.
      let factor = Float(pow(10, 6.0 / 20) - 1)
      return [(matrices.base[0] - 1) / factor, matrices.base[3] / factor]
    }
    for (first, second) in [(one, other), (other, one)] {
      let pair = (shares(first), shares(second))
      #expect(abs(pair.0[0] - pair.1[1]) < 5e-4 && abs(pair.0[1] - pair.1[0]) < 5e-4)
    }
  }

  /// If the stream marks dialogue on the left only, the left gets louder and the right stays.
  @Test(
    "dialogue marked on the left is raised on the left alone", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func raisesWhatTheStreamMarks() throws {
    let frames = try RealStream.channelCheck.frames().prefix(60).map(\.rawFrame)
    func decode(_ options: AC4DecoderOptions) throws -> [[Float]] {
      let decoder = try AC4Decoder(rawFrame: frames[0], options: options)
      let output = AudioBuffer(channels: 2)
      for frame in frames { try decoder.decode(rawFrame: frame, into: output) }
      decoder.flush(into: output)
      return (0..<2).map { Array(output.channel($0)) }
    }
    let plain = try decode(AC4DecoderOptions())
    let raised = try decode(AC4DecoderOptions(dialogueGain: 9))
    let range = 27 * 2048..<38 * 2048
    func level(_ samples: ArraySlice<Float>) -> Double {
      10 * log10(samples.reduce(1e-20) { $0 + Double($1) * Double($1) })
    }
    let change = (0..<2).map { level(raised[$0][range]) - level(plain[$0][range]) }
    #expect(change[0] > 3 && change[0] < 9.1)
    #expect(abs(change[1]) < 0.001)
    #expect(raised.map(\.count) == plain.map(\.count))
  }
}
