// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// 3.0 to 7.1 in SIMPLE mode with random coding configurations, against the formulas of the standard.
@Suite struct MultichannelTests {
  @Test(
    "3.0 to 7.1 with random coding have the samples of the standard's formulas", arguments: 2...10)
  func isTheFormula(number: Int) throws {
    let mode = try #require(AC4ChannelMode(rawValue: number))
    for index in number == 4 ? [9, 13] : [9] {
      let rate = try AC4FrameRate(index: index, is48kHz: true)
      var stream = SyntheticStream(rate, mode, seed: UInt64(100 * number + index))
      let frames = (0..<(index == 13 ? 6 : 12)).map { _ in stream.next() }
      let decoder = try AC4Decoder(rawFrame: frames[0].raw)
      #expect(decoder.format.layout == mode.layout)
      #expect(decoder.format.channels == mode.channels)
      let output = AudioBuffer(channels: mode.channels)
      for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
      decoder.flush(into: output)
      #expect(Int64(output.frames) == rate.samples(inFrames: Int64(frames.count)))
      for channel in 0..<mode.channels {
        let wanted = SlowTransform.formula(frames, channel, rate.codedFrameLength)
        let found = Array(output.channel(mode.places[channel]))
        let ratio = try FrameRateTests.compare(found, wanted, rate)
        #expect(ratio > 70, "\(mode.name), rate \(index), channel \(channel): \(ratio) dB")
      }
    }
  }

  /// Each coded channel goes to its speaker.
  @Test("each coded channel goes to its loudspeaker") func channelsGoToTheirSpeakers() throws {
    let names: [Int: [String]] = [
      4: ["FL", "FR", "FC", "LFE", "SL", "SR"],
      6: ["FL", "FR", "FC", "LFE", "SL", "SR", "BL", "BR"],
      8: ["FL", "FR", "FC", "LFE", "SL", "SR", "WL", "WR"],
      10: ["FL", "FR", "FC", "LFE", "SL", "SR", "TFL", "TFR"],
    ]
    for (number, speakers) in names {
      let mode = try #require(AC4ChannelMode(rawValue: number))
      let layout = try #require(mode.layout)
      #expect(mode.places.map { layout.speakers[$0].name } == speakers)
    }
  }
}
