import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4

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
        let wanted = FrameRateTests.formula(frames, channel, rate.codedFrameLength)
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
      let wanted = FrameRateTests.formula(frames, channel, rate.codedFrameLength, parts: parts)
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

  /// Inverse transforms with windows laid out on one time axis, in double precision; two frames
  /// longer than the stream, since its last blocks reach beyond it.
  static func formula(
    _ frames: [SyntheticStream.Frame], _ channel: Int, _ frameLength: Int, parts: Int = 1
  ) -> [Double] {
    // The first block overlaps with silence of one codec frame.
    let codecLength = frameLength / parts
    var blocks: [(border: Int, length: Int, lines: ArraySlice<Double>)] = []
    for (number, frame) in frames.enumerated() {
      var at = 0
      for length in frame.windows[channel] {
        blocks.append(
          (
            number * frameLength + codecLength / 2 + at, length,
            frame.lines[channel][at..<at + length]
          ))
        at += length
      }
    }
    var output = [Double](repeating: 0, count: (frames.count + 2) * frameLength)
    for (place, block) in blocks.enumerated() {
      let before = place == 0 ? codecLength : blocks[place - 1].length
      let after = place == blocks.count - 1 ? codecLength : blocks[place + 1].length
      let samples = inverse(Array(block.lines))
      for (time, sample) in samples.enumerated() {
        let at = block.border - block.length / 2 + time
        let rise = window(at - block.border, min(before, block.length))
        let fall = window(block.border + block.length - 1 - at, min(after, block.length))
        output[at] += sample * rise * fall / 32768
      }
    }
    return output
  }

  /// A slope of `length` samples centred on 0: 0 before it, 1 after it.
  private static func window(_ offset: Int, _ length: Int) -> Double {
    let place = offset + length / 2
    if place < 0 { return 0 }
    return place >= length ? 1 : slopes[length]?[place] ?? 0
  }

  /// Kaiser-Bessel-derived slopes by their definition.
  private static let slopes: [Int: [Double]] = {
    let alphas: [(Double, [Int])] = [
      (3, [2048, 1920, 1536]), (4, [1024, 960, 768]), (4.5, [512, 480, 384]),
      (5, [256, 240, 192]), (6, [128, 120, 96]),
    ]
    var slopes: [Int: [Double]] = [:]
    for (alpha, lengths) in alphas {
      for length in lengths {
        let kernel = (0...length).map { index -> Double in
          let argument =
            Double.pi * alpha * sqrt(max(0, 1 - pow(2 * Double(index) / Double(length) - 1, 2)))
          var sum = 1.0
          var term = 1.0
          for order in 1..<80 {
            term *= pow(argument / 2 / Double(order), 2)
            sum += term
          }
          return sum
        }
        let total = kernel.reduce(0, +)
        var sum = 0.0
        slopes[length] = kernel.dropLast().map { value in
          sum += value
          return sqrt(sum / total)
        }
      }
    }
    return slopes
  }()

  private static func inverse(_ lines: [Double]) -> [Double] {
    let count = lines.count
    let table = (0..<8 * count).map { cos(.pi / Double(4 * count) * Double($0)) }
    let used = lines.indices.filter { lines[$0] != 0 }
    return (0..<2 * count).map { time in
      var sum = 0.0
      for line in used {
        sum += lines[line] * table[(2 * time + 1 + count) * (2 * line + 1) % (8 * count)]
      }
      return sum / Double(count)
    }
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
