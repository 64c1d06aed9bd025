// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import LibAV

/// LAME through libavcodec: the level that comes out, and what is refused.
@Suite struct MP3EncoderTests {
  private static let kilohertz = 2 * Double.pi * 1000 / 48_000

  private static func format(_ channels: Int, rate: Int = 48_000) -> AudioFormat {
    AudioFormat(sampleRate: rate, layout: channels == 1 ? .mono : .stereo)
  }

  /// A second of a tone of 1 kHz at −20 dBFS, and what it is decoded to, without start-up samples.
  private static func tone(
    channels: Int, bitRate: Int?, options: [String: String]
  ) throws -> (before: [Float], after: [Float]) {
    let tone = (0..<48_000).map { Float(0.1 * sin(kilohertz * Double($0))) }
    let sound = AudioBuffer(channels: channels)
    sound.appendSilence(tone.count)
    for channel in 0..<channels {
      for (index, sample) in tone.enumerated() { sound.channel(channel)[index] = sample }
    }
    let encoder = try EncoderContext(
      .mp3, format: format(channels), bitRate: bitRate, options: options)
    var packets: [EncodedPacket] = []
    for start in stride(from: 0, to: tone.count, by: encoder.frameSize) {
      packets += try encoder.encode(
        sound, range: start..<min(tone.count, start + encoder.frameSize))
    }
    packets += try encoder.finish()
    let decoder = try PacketDecoder(of: encoder)
    let decoded = AudioBuffer(channels: channels)
    for packet in packets { try decoder.decode(packet, into: decoded) }
    decoded.removeFirst(encoder.initialPadding)
    return (tone, Array(decoded.channel(0).prefix(tone.count)))
  }

  /// Level of `after` over that of `before` in dB, by least squares, away from both ends.
  private static func gain(_ sound: (before: [Float], after: [Float])) -> Double {
    var (product, power) = (0.0, 0.0)
    for index in 4800..<43_200 {
      product += Double(sound.before[index]) * Double(sound.after[index])
      power += Double(sound.before[index]) * Double(sound.before[index])
    }
    return 20 * log10(product / power)
  }

  /// LAME 3.100 multiplies by 0.95 up to 160 kbit/s, by 0.97 at 192 and by 0.98 at 224.
  @Test(
    "a tone of 1 kHz has the level that it had, at any constant bit rate",
    arguments: [64, 96, 128, 160, 192, 224, 256, 320], [1, 2])
  func theLevelStaysAtConstantBitRates(kilobits: Int, channels: Int) throws {
    let sound = try MP3EncoderTests.tone(
      channels: channels, bitRate: kilobits * 1000, options: ["reservoir": "0"])
    #expect(MP3EncoderTests.gain(sound).magnitude <= 0.02)
  }

  /// LAME turns nothing down here, but a tone alone is quantised the more coarsely the lower the quality: it lost 0.04 dB at V0,
  /// 0.06 at V4, 0.16 at V5 and 0.36 at V6.
  @Test(
    "a tone of 1 kHz has nearly the level that it had, at any quality",
    arguments: [(0, 0.1), (1, 0.1), (2, 0.1), (3, 0.1), (4, 0.1), (5, 0.2), (6, 0.4)])
  func theLevelStaysAtQualities(quality: Int, tolerance: Double) throws {
    let sound = try MP3EncoderTests.tone(
      channels: 2, bitRate: nil, options: ["q": "\(quality)"])
    #expect(MP3EncoderTests.gain(sound).magnitude <= tolerance)
  }

  @Test("without a bit rate mono has 96 kbit/s and stereo 192, as far as the rate allows")
  func theUsualBitRateDependsOnTheChannels() throws {
    #expect(try EncoderContext(.mp3, format: MP3EncoderTests.format(1)).bitRate == 96_000)
    #expect(try EncoderContext(.mp3, format: MP3EncoderTests.format(2)).bitRate == 192_000)
    let low = try EncoderContext(.mp3, format: MP3EncoderTests.format(2, rate: 22_050))
    #expect(low.bitRate == 160_000 && low.frameSize == 576)
  }

  /// 576 by LAME, and 529 by every decoder of Layer III.
  @Test("1105 start-up samples lie before the sound", arguments: [8000, 22_050, 32_000, 48_000])
  func theStartUpIsKnown(rate: Int) throws {
    let encoder = try EncoderContext(.mp3, format: MP3EncoderTests.format(2, rate: rate))
    #expect(encoder.initialPadding == 1105)
  }

  @Test(
    "bit rates, qualities and channels that MP3 doesn't have are refused with what to give instead",
    arguments: [
      ("stereo", 100_000, [:], .usage, "96k, 112k"),
      ("stereo", 128_000, ["q": "2"], .usage, "drop one"),
      ("stereo", nil, ["q": "11"], .usage, "0, the best, to 9"),
      ("stereo", nil, ["q": "best"], .usage, "q=best"),
      ("5.1", nil, [:], .unsupportedFeature, "at most 2 channels"),
    ] as [(String, Int?, [String: String], MediaError.Kind, String)])
  func othersAreRefused(
    layout: String, bitRate: Int?, options: [String: String], kind: MediaError.Kind, words: String
  ) throws {
    let layout = try #require(ChannelLayout(name: layout))
    let failure = #expect(throws: MediaError.self) {
      try EncoderContext(
        .mp3, format: AudioFormat(sampleRate: 48_000, layout: layout), bitRate: bitRate,
        options: options)
    }
    #expect(failure?.kind == kind)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test("an average bit rate may be any number") func averagesAreTaken() throws {
    let encoder = try EncoderContext(
      .mp3, format: MP3EncoderTests.format(2), bitRate: 100_000, options: ["abr": "1"])
    #expect(encoder.bitRate == 100_000)
  }
}
