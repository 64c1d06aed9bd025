// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import LibAV

/// Each owner of a handle of libav frees it, also after a refusal. Each test has a process of its own, whose memory is
/// counted.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: HeldResources.isCounted, "this C library doesn't say what it has given out"))
struct HandleTests {
  private static let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  private static func silence(_ frames: Int) -> AudioBuffer {
    let buffer = AudioBuffer(channels: 2)
    buffer.appendSilence(frames)
    return buffer
  }

  /// Encodes a frame of silence and decodes its packets.
  private static func code(_ encoding: AudioEncoding) throws {
    let encoder = try EncoderContext(encoding, format: stereo)
    let size = encoder.frameSize == 0 ? 4096 : encoder.frameSize
    let packets = try encoder.encode(silence(size), range: 0..<size) + encoder.finish()
    let decoder = try PacketDecoder(of: encoder)
    let output = AudioBuffer(channels: 2)
    for packet in packets { try decoder.decode(packet, into: output) }
  }

  @Test("encoders and decoders release their handles") func encodersAndDecoders() async {
    await #expect(processExitsWith: .success) {
      for encoding in [AudioEncoding.flac, .aac, .alac] {
        let lost = try HeldResources.lost { try HandleTests.code(encoding) }
        #expect(lost == nil, "\(encoding): \(lost ?? "")")
      }
      let refused = try HeldResources.lost(byRefusing: [
        { try EncoderContext(.flac, format: HandleTests.stereo, options: ["nonsense": "1"]) },
        { try EncoderContext(.aac, format: AudioFormat(sampleRate: 7, layout: .stereo)) },
      ])
      #expect(refused == nil, "\(refused ?? "")")
    }
  }

  @Test("reading containers releases all handles") func containersThatAreRead() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let tone = [Int16](repeating: 1000, count: 9000)
      try WAVBytes.pcm16([tone, tone], rate: 48_000).write(to: folder.url("a.wav"))
      try Data("this is no sound".utf8).write(to: folder.url("b.wav"))
      let read = try HeldResources.lost {
        let input = try InputContext(
          file: LocalFile(path: folder.file("a.wav")), allowed: ["wav"])
        let decoder = try input.makeDecoder(stream: 0, options: [:])
        let (packet, frame) = (try Packet(), try Frame())
        let output = AudioBuffer(channels: 2)
        while try input.read(into: packet) {
          try decoder.send(packet)
          while try decoder.receive(into: frame) { try frame.append(to: output) }
        }
      }
      #expect(read == nil, "\(read ?? "")")
      let refused = try HeldResources.lost(
        byRefusing: ["a.wav", "b.wav", "c.wav"].map { name in
          {
            try InputContext(
              file: LocalFile(path: folder.file(name)), allowed: ["wav"], options: ["nonsense": "1"]
            )
          }
        })
      #expect(refused == nil, "\(refused ?? "")")
    }
  }

  @Test("subtitles release their handles") func subtitles() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try Data("1\n00:00:01,000 --> 00:00:02,000\nWords.\n\n".utf8).write(to: folder.url("a.srt"))
      var texts: [String] = []
      let lost = try HeldResources.lost {
        let input = try InputContext(file: LocalFile(path: folder.file("a.srt")), allowed: ["srt"])
        let decoder = try SubtitleDecoder(input, stream: 0)
        let packet = try Packet()
        #expect(try input.read(into: packet))
        texts = try decoder.decode(packet).map(\.text)
      }
      #expect(lost == nil, "\(lost ?? "")")
      #expect(texts == ["Words."])
    }
  }

  @Test("converters release their handles") func converters() async {
    await #expect(processExitsWith: .success) {
      let input = HandleTests.silence(2000)
      let converted = try HeldResources.lost {
        let resampler = Resampler(to: AudioFormat(sampleRate: 44_100, layout: .stereo))
        _ = try resampler.prepare(HandleTests.stereo)
        try resampler.process(input, into: AudioBuffer(channels: 2))
        try resampler.finish(into: AudioBuffer(channels: 2))
        _ = try? resampler.prepare(AudioFormat(sampleRate: 0, layout: .stereo))
      }
      #expect(converted == nil, "\(converted ?? "")")
    }
  }

  /// Refusals aren't counted: libavfilter 8 itself loses some bytes of a graph that is freed before it was configured.
  @Test(
    "filter graphs release their handles",
    .enabled(if: FilterLibrary.current != nil, "libavfilter isn't installed"))
  func filters() async {
    await #expect(processExitsWith: .success) {
      let input = HandleTests.silence(2000)
      let library = try #require(FilterLibrary.current)
      let filtered = try HeldResources.lost {
        let filter = FilterGraph.Filter(name: "volume", options: [("volume", "0.5")])
        let graph = try FilterGraph([filter], HandleTests.stereo, library)
        try graph.process(input, into: AudioBuffer(channels: 2))
        try graph.finish(into: AudioBuffer(channels: 2))
      }
      #expect(filtered == nil, "\(filtered ?? "")")
    }
  }

  @Test("resamplers and transforms release their handles") func whatComputes() async {
    await #expect(processExitsWith: .success) {
      let lost = try HeldResources.lost {
        _ = try AESDecryptor(
          key: [UInt8](repeating: 1, count: 16), vector: [UInt8](repeating: 2, count: 16))
        [UInt8](repeating: 1, count: 50).withUnsafeBytes { bytes in
          let checksum = try? ByteChecksum()
          checksum?.update(bytes)
          _ = checksum?.finish()
        }
        _ = try OpenOptions(["a": "1", "b": "2"]).unused
      }
      #expect(lost == nil, "\(lost ?? "")")
    }
  }
}
