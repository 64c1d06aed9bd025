// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Every frame rate, mono and stereo, with random windows, against the formulas of the standard.
@Suite struct FrameRateTests {
  static let rates = (0...13).map { ($0, true) } + [(13, false)]

  @Test(
    "mono and stereo at each frame rate have the samples of the standard's formulas",
    arguments: rates) func isTheFormula(index: Int, is48kHz: Bool) throws
  {
    let rate = try AC4FrameRate(index: index, is48kHz: is48kHz)
    for channels in 1...2 {
      var stream = SyntheticStream(
        rate, channels == 1 ? .mono : .stereo, seed: UInt64(index * 2 + channels))
      let frames = (0..<10).map { _ in stream.next() }
      let decoder = try AC4Decoder(rawFrame: frames[0].raw)
      #expect(decoder.format.sampleRate == (is48kHz ? 48_000 : 44_100))
      #expect(decoder.format.channels == channels)
      let output = AudioBuffer(channels: channels)
      for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
      decoder.flush(into: output)
      #expect(Int64(output.frames) == rate.samples(inFrames: 10))
      for channel in 0..<channels {
        let wanted = SlowTransform.formula(frames, channel, rate.codedFrameLength)
        let found = Array(output.channel(channel))
        let ratio = try FrameRateTests.compare(found, wanted, rate)
        #expect(ratio > 70, "rate \(index), channel \(channel) of \(channels): \(ratio) dB")
      }
    }
  }

  /// A frame of 29.97 Hz lasts 1601.6 samples: parts of a sample come with later frames.
  @Test("a frame of 1601.6 samples is rounded down and later frames make up for the rest")
  func lengthsAreRoundedDown() throws {
    let rate = try AC4FrameRate(index: 3, is48kHz: true)
    #expect((0...5).map { rate.samples(inFrames: $0) } == [0, 1601, 3203, 4804, 6406, 8008])
  }

  static let multiples = [
    (0, 2), (1, 2), (2, 2), (2, 4), (3, 2), (3, 4), (4, 2), (4, 4), (7, 2), (8, 2), (9, 2),
  ]

  /// Several codec frames in each transport frame.
  @Test("a transport frame with several codec frames is taken apart", arguments: multiples)
  func takesTransportFramesApart(index: Int, parts: Int) throws {
    let rate = try AC4FrameRate(index: index, is48kHz: true)
    if rate.codedFrameLength / parts < 384 { return }
    var stream = SyntheticStream(rate, .stereo, seed: UInt64(index), parts: parts)
    let frames = (0..<8).map { _ in stream.next() }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    let output = AudioBuffer(channels: 2)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    #expect(Int64(output.frames) == rate.samples(inFrames: 8))
    for channel in 0..<2 {
      let wanted = SlowTransform.formula(frames, channel, rate.codedFrameLength, parts: parts)
      let ratio = try FrameRateTests.compare(Array(output.channel(channel)), wanted, rate)
      #expect(ratio > 70, "rate \(index) in \(parts), channel \(channel): \(ratio) dB")
    }
    // The last part of a frame is damaged: what came before stays, concealing fills up.
    decoder.reset()
    output.removeAll()
    for (number, frame) in frames.enumerated() {
      if number == 3 {
        let cut = Array(frame.raw.dropLast(9)) + [UInt8](repeating: 0xFF, count: 9)
        if (try? decoder.decode(rawFrame: cut, into: output)) == nil {
          decoder.conceal(into: output)
        }
      } else {
        try decoder.decode(rawFrame: frame.raw, into: output)
      }
    }
    decoder.flush(into: output)
    #expect(Int64(output.frames) == rate.samples(inFrames: 8))
  }

  /// The ratio in dB of what came out to the formula's samples, brought to the output's
  /// rate where it differs.
  static func compare(
    _ found: [Float], _ wanted: [Double], _ rate: AC4FrameRate
  ) throws -> Double {
    guard rate.resampleUp != rate.resampleDown else {
      return Signals.ratio(found, wanted.map(Float.init))
    }
    let converter = RateConverter(
      up: rate.resampleUp, down: rate.resampleDown, largest: wanted.count)
    var room = [Float](repeating: 0, count: converter.capacity(wanted.count) + 256)
    var made = converter.process(wanted.map(Float.init), wanted.count, into: &room)
    var output = Array(room[..<made])
    while output.count < found.count {
      made = converter.processSilence(128, into: &room)
      output += room[..<made]
    }
    return Signals.ratio(found, Array(output.prefix(found.count)))
  }
}
