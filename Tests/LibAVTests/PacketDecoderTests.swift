// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import LibAV

/// An encoder's packets are decoded without a container around them.
@Suite struct PacketDecoderTests {
  private let sound: AudioBuffer
  private let encoder: EncoderContext

  init() throws {
    sound = AudioBuffer(channels: 2, capacity: 4096)
    var noise = SeededNoise(seed: 5)
    // 16 bits hold these samples exactly.
    sound.appendSilence(4096)
    for channel in 0..<2 {
      for index in 0..<4096 {
        let sample = Int16.random(in: -30_000...30_000, using: &noise)
        sound.channel(channel)[index] = Float(sample) / 32_768
      }
    }
    encoder = try EncoderContext(
      .flac, format: AudioFormat(sampleRate: 48_000, layout: .stereo), bits: 16)
  }

  private func packets() throws -> [EncodedPacket] {
    try encoder.encode(sound, range: 0..<4096) + encoder.finish()
  }

  @Test("FLAC packets decode to the samples encoded")
  func aLosslessCodecGivesItsSamplesBack() throws {
    let packets = try packets()
    let decoder = try PacketDecoder(of: encoder)
    let decoded = AudioBuffer(channels: 2, capacity: 4096)
    for packet in packets { try decoder.decode(packet, into: decoded) }
    for channel in 0..<2 {
      #expect(Array(decoded.channel(channel)) == Array(sound.channel(channel)))
    }
  }

  /// A decoder that gives other channels than were encoded proves nothing.
  @Test("stereo packets decoded into a mono buffer are refused as internal")
  func anotherNumberOfChannelsIsRefused() throws {
    let packets = try packets()
    let decoder = try PacketDecoder(of: encoder)
    let mono = AudioBuffer(channels: 1, capacity: 4096)
    let failure = #expect(throws: MediaError.self) {
      for packet in packets { try decoder.decode(packet, into: mono) }
    }
    #expect(failure?.kind == .internal)
  }
}
