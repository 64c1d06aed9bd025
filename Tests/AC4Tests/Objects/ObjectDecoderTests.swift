// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Decoded output for the shared object stream.
@Suite(
  .tags(.media, .system), .enabled(if: ObjectOracle.isPresent, "../shared is missing"))
struct ObjectDecoderTests {
  static func decode(_ frames: [[UInt8]]) throws -> (decoder: AC4Decoder, block: ProgrammeBlock) {
    let decoder = try AC4Decoder(rawFrame: frames[0])
    let programme = Programme(sampleRate: decoder.format.sampleRate, elements: decoder.elements)
    let block = ProgrammeBlock(programme)
    for frame in frames { try decoder.decode(rawFrame: frame, into: block) }
    decoder.flush(into: block)
    return (decoder, block)
  }

  /// The reference holds the decoder's delay of 1313 samples.
  @Test("decoded objects are the oracle's") func objectsAreTheOracles() throws {
    let (decoder, block) = try ObjectDecoderTests.decode(try ObjectOracle.frames())
    #expect(decoder.codedDelay == 1313 && decoder.planes == 21 && block.frames == 40_960)
    for plane in 0..<21 {
      let object = (plane + 8) % 9
      let name = plane == 0 ? "LFE" : "obj0\(object)"
      let wanted = try ObjectOracle.samples("level4.full.\(name).flac").dropFirst(1313)
      let found = block.audio.channel(plane).prefix(wanted.count)
      let ratio = Signals.ratio(Array(found), Array(wanted))
      #expect(ratio >= 100, "plane \(plane): \(ratio) dB")
    }
  }

  /// One tone in each object, rising from left to the tops, and no other's.
  @Test("each object has its own tone and no other") func tonesDontLeak() throws {
    let (_, block) = try ObjectDecoderTests.decode(try ObjectOracle.frames())
    let tones = [1000.0, 2500, 4000, 5500, 7000, 8500, 10_000, 11_000, 12_000]
    for object in 0..<20 {
      let samples = Array(block.audio.channel(object + 1)[8192..<36_000])
      for (index, tone) in tones.enumerated() {
        let level = ObjectDecoderTests.level(samples, tone)
        if index == object % 9 {
          // −31 dBFS, times the gain of level 30: 5 steps of 0.2001953125.
          #expect(abs(level + 31) < 0.1, "object \(object) at \(tone) Hz: \(level) dB")
        } else {
          #expect(level < -100, "object \(object) at \(tone) Hz: \(level) dB")
        }
      }
    }
  }

  /// Level in dB of the peak of a tone, by a Blackman–Harris window, whose leakage is below −92 dB of a tone that is
  /// itself 31 dB below full scale.
  static func level(_ samples: [Float], _ frequency: Double) -> Double {
    var (real, imaginary, sum) = (0.0, 0.0, 0.0)
    let step = 2 * Double.pi / Double(samples.count)
    for (index, sample) in samples.enumerated() {
      let phase = step * Double(index)
      let window =
        0.35875 - 0.48829 * cos(phase) + 0.14128 * cos(2 * phase) - 0.01168 * cos(3 * phase)
      let angle = 2 * Double.pi * frequency * Double(index) / 48_000
      real += window * Double(sample) * cos(angle)
      imaginary += window * Double(sample) * sin(angle)
      sum += window
    }
    return 20 * log10(2 * (real * real + imaginary * imaginary).squareRoot() / sum)
  }

  @Test("decoded objects stand at the positions of the source") func objectsStandAtTheirPlaces()
    throws
  {
    let (decoder, block) = try ObjectDecoderTests.decode(try ObjectOracle.frames())
    #expect(decoder.elements.count == 21)
    #expect(decoder.format.layout.speakers == [.lowFrequency])
    // Left, right, centre, surrounds and the tops above them, over and over.
    let places: [[Double]] = [
      [-1, 1, 0], [1, 1, 0], [0, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 1], [1, 1, 1],
      [-1, -1, 1], [1, -1, 1],
    ]
    for (index, element) in decoder.elements.dropFirst().enumerated() {
      guard case .object(_, let start) = element else {
        Issue.record("element \(index + 1) is no object")
        continue
      }
      #expect(start.position.coordinates == places[index % 9] && start.gain == 1)
    }
    // Nothing moves: the second I-frame sends the same places.
    #expect(block.updates.isEmpty)
  }

  /// However the stream is entered and left, samples are where they belong.
  @Test("entering a stream of objects later gives the same samples") func aSeekGivesTheSameSamples()
    throws
  {
    let frames = try ObjectOracle.frames()
    let (_, whole) = try ObjectDecoderTests.decode(frames)
    let (_, part) = try ObjectDecoderTests.decode(Array(frames[10...]))
    #expect(part.frames == 20_480)
    for plane in [0, 1, 20] {
      // The part that the frames before would add has died away after two frames.
      let wanted = Array(whole.audio.channel(plane)[20_480 + 4096..<40_000])
      let found = Array(part.audio.channel(plane)[4096..<40_000 - 20_480])
      #expect(Signals.ratio(found, wanted) > 120, "plane \(plane)")
    }
  }

  @Test("two concealed frames of objects are silent, and sound returns in time")
  func concealedFramesFadeAndKeepTheirTime() throws {
    let frames = try ObjectOracle.frames()
    let decoder = try AC4Decoder(rawFrame: frames[0])
    let block = ProgrammeBlock(Programme(sampleRate: 48_000, elements: decoder.elements))
    for (number, frame) in frames.enumerated() {
      if number == 10 {
        decoder.conceal(into: block)
      } else if number == 11 {
        #expect(throws: AC4Error.self) {
          try decoder.decode(rawFrame: Array(frame.prefix(4000)), into: block)
        }
        decoder.conceal(into: block)
      } else {
        try decoder.decode(rawFrame: frame, into: block)
      }
    }
    decoder.flush(into: block)
    #expect(block.frames == 40_960)
    let tone = block.audio.channel(1)
    let heard = { (range: Range<Int>) in tone[range].contains { abs($0) > 0.001 } }
    #expect(heard(18_000..<22_000) && !heard(22_600..<24_500) && heard(25_000..<29_000))
  }
}
