// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import LibAV

/// Packets, frames and decoders own what libav gives them, and pass its errors on.
@Suite struct DecodingTests {
  private let folder: TemporaryFolder
  /// Samples of a multiple of 256, so that every integer format holds them exactly.
  private let planes: [[Int16]]

  init() throws {
    folder = try TemporaryFolder()
    planes = (0..<2).map { channel in
      var noise = SeededNoise(seed: UInt64(channel))
      return (0..<20_000).map { _ in Int16(Int8.random(in: -128...127, using: &noise)) << 8 }
    }
    try WAVBytes.pcm16(planes, rate: 48_000, mask: 3).write(to: folder.url("a.wav"))
  }

  private func open(_ name: String) throws -> InputContext {
    try InputContext(
      file: LocalFile(path: folder.file(name)), allowed: ["wav", "flac", "matroska,webm", "mp3"])
  }

  /// All that is decoded, and the errors on the way.
  private func decode(_ name: String) throws -> (planes: [[Float]], errors: [LibAVError]) {
    let input = try open(name)
    let decoder = try input.makeDecoder(stream: 0, options: [:])
    let (packet, frame) = (try Packet(), try Frame())
    let output = AudioBuffer(channels: 2)
    var errors: [LibAVError] = []
    func drain() throws {
      while try decoder.receive(into: frame) { try frame.append(to: output) }
    }
    while try input.read(into: packet) {
      do {
        try decoder.send(packet)
        try drain()
      } catch let error as LibAVError { errors.append(error) }
    }
    try decoder.send(nil)
    try drain()
    #expect(try !decoder.receive(into: frame))
    return ((0..<2).map { Array(output.channel($0)) }, errors)
  }

  @Test("a new packet and a new frame are empty and append nothing")
  func aNewPacketAndAFrameAreEmpty() throws {
    let packet = try Packet()
    #expect(packet.size == 0 && packet.bytes().isEmpty && packet.presentationTime == nil)
    #expect(packet.decodeTime == nil && !packet.isKey && !packet.isCorrupt && !packet.isEncrypted)
    let frame = try Frame()
    #expect(frame.frames == 0 && frame.channels == 0 && frame.presentationTime == nil)
    #expect(frame.skip == (0, 0) && !frame.isDamaged && frame.layout == nil)
    let output = AudioBuffer(channels: 1)
    output.appendSilence(3)
    // An empty frame has no sample format; there is nothing to append from it.
    try? frame.append(to: output)
    #expect(output.frames == 3)
  }

  @Test("bytes of a packet are a copy that stays when the packet is read again or cleared")
  func bytesAreACopyThatOutlivesThePacket() throws {
    let input = try open("a.wav")
    let packet = try Packet()
    #expect(try input.read(into: packet))
    #expect(packet.streamIndex == 0 && packet.isKey && packet.presentationTime == 0)
    let first = packet.bytes()
    #expect(first.count == packet.size && first.count > 100)
    #expect(packet.bytes(first: 5) == Array(first[..<5]))
    let kept = first
    #expect(try input.read(into: packet))
    #expect(packet.bytes() != first && first == kept)
    packet.clear()
    #expect(packet.size == 0 && packet.bytes().isEmpty)
    packet.clear()
  }

  @Test("the end of a file is no error") func theEndIsNoError() throws {
    let input = try open("a.wav")
    let packet = try Packet()
    while try input.read(into: packet) {}
    #expect(packet.size == 0)
    #expect(try !input.read(into: packet))
  }

  /// A packet and a decoder may outlive the file they came from.
  @Test("a packet and a decoder outlive their file") func whatCameFromAFileOutlivesIt() throws {
    let packet = try Packet()
    let frame = try Frame()
    let decoder: DecoderContext
    do {
      let input = try open("a.wav")
      decoder = try input.makeDecoder(stream: 0, options: [:])
      #expect(try input.read(into: packet))
    }
    try decoder.send(packet)
    packet.clear()
    #expect(try decoder.receive(into: frame))
    #expect(frame.frames > 0 && frame.sampleRate == 48_000 && frame.layout == .stereo)
    let output = AudioBuffer(channels: 2)
    try frame.append(to: output)
    #expect(output.channel(0)[1] == Float(planes[0][1]) / 32_768)
  }

  @Test(
    "each PCM format, FLAC and ALAC decode to the same floats",
    .tags(.system), .fullRunOnly,
    arguments: [
      ["pcm_u8", "a2.wav"], ["pcm_s16le", "a2.wav"], ["pcm_s24le", "a2.wav"],
      ["pcm_s32le", "a2.wav"], ["pcm_f32le", "a2.wav"], ["pcm_f64le", "a2.wav"],
      ["flac", "a2.flac"], ["alac", "a2.mkv"],
    ])
  func everySampleFormatBecomesTheSameFloats(row: [String]) throws {
    try FixtureStore.ffmpeg(["-i", folder.file("a.wav"), "-c:a", row[0], folder.file(row[1])])
    let (decoded, errors) = try decode(row[1])
    #expect(errors.isEmpty)
    let wanted = planes.map { $0.map { Float($0) / 32_768 } }
    #expect(Alignment.difference(decoded, wanted) == nil)
  }

  @Test(
    "a damaged FLAC frame is one error of invalid data, and the other frames are decoded",
    .tags(.system), .fullRunOnly)
  func aDamagedFrameIsAnErrorAndTheNextOneIsnt() throws {
    try FixtureStore.ffmpeg([
      "-i", folder.file("a.wav"), "-c:a", "flac", "-frame_size", "1024", folder.file("a.flac"),
    ])
    let whole = try decode("a.flac")
    #expect(whole.errors.isEmpty && whole.planes[0].count == 20_000)
    var bytes = try Data(contentsOf: folder.url("a.flac"))
    // A byte in the middle of some frame's residuals.
    bytes[bytes.count / 2] ^= 0x10
    try bytes.write(to: folder.url("a.flac"))
    let damaged = try decode("a.flac")
    #expect(damaged.errors.count == 1)
    #expect(damaged.errors.allSatisfy { $0.meaning == .invalidData })
    #expect(damaged.planes[0].count == 19_000 - 24 || damaged.planes[0].count == 20_000 - 1024)
  }

  @Test("a decoder for stream −1, 1 or 99 of a file with one is refused as internal")
  func thereIsNoDecoderForAStreamThatIsntThere() throws {
    let input = try open("a.wav")
    for index in [-1, 1, 99] {
      let error = #expect(throws: MediaError.self) {
        _ = try input.makeDecoder(stream: index, options: [:])
      }
      #expect(error?.kind == .internal)
    }
  }

  @Test("an unknown decoder option is ignored")
  func decoderOptionsThatItDoesntKnowAreIgnored() throws {
    let decoder = try open("a.wav").makeDecoder(stream: 0, options: ["no-such-option": "1"])
    #expect(decoder.name == "pcm_s16le")
  }

  @Test("a WAV where only FLAC is allowed and a text are refused")
  func formatsThatArentAllowedArentRead() throws {
    let file = try LocalFile(path: folder.file("a.wav"))
    #expect(throws: LibAVError.self) { _ = try InputContext(file: file, allowed: ["flac"]) }
    try Data("no media at all".utf8).write(to: folder.url("text"))
    #expect(throws: LibAVError.self) { _ = try open("text") }
  }

  @Test("an unknown demuxer option is refused by name")
  func demuxerOptionsThatItDoesntKnowAreNamed() throws {
    let file = try LocalFile(path: folder.file("a.wav"))
    let error = #expect(throws: MediaError.self) {
      _ = try InputContext(file: file, allowed: ["wav"], options: ["no-such-option": "1"])
    }
    #expect(
      error?.kind == .usage
        && error?.message.contains("decoding.demuxerOptions no-such-option") == true)
  }

  /// Small packets cost more than decoding them; a size that was asked for stays.
  @Test("PCM comes in packets of 32,768 bytes, or of the size asked for")
  func pcmComesInLargePackets() throws {
    let silence = [Int16](repeating: 0, count: 400_000)
    try WAVBytes.pcm16([silence], rate: 48_000).write(to: folder.url("long.wav"))
    let file = try LocalFile(path: folder.file("long.wav"))
    for (options, size) in [([:], 32768), (["max_size": "2048"], 2048)] {
      let input = try InputContext(file: file, allowed: ["wav"], options: options)
      let packet = try Packet()
      // libavformat has read the first packets to find out what the stream is.
      var largest = 0
      while try input.read(into: packet) { largest = max(largest, packet.size) }
      #expect(largest == size)
    }
  }

  @Test("errors −12 and −5 have their meaning, and an unknown one has a text")
  func errorsHaveAMeaningAndAText() {
    let error = LibAVError(code: -12)
    #expect(error.meaning == .outOfMemory && error.description.contains("memory"))
    #expect(LibAVError(code: -5).meaning == .inputOutput)
    #expect(!LibAVError(code: -987_654_321).description.isEmpty)
  }
}
