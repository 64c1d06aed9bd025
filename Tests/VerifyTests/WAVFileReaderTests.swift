// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaOut
import Platform
import TestSupport
import Testing

@testable import Verify

@Suite struct WAVFileReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ planes: [[Float]], _ settings: SoundSettings) throws {
    let descriptor = open(folder.file("a.wav"), O_CREAT | O_RDWR | O_TRUNC, 0o600)
    defer { close(descriptor) }
    let writer = try WAVWriter(descriptor: descriptor, name: "a.wav", settings: settings)
    let buffer = AudioBuffer(channels: planes.count)
    buffer.grow(by: planes.first?.count ?? 0)
    for (index, plane) in planes.enumerated() {
      let target = buffer.channel(index)
      for frame in plane.indices { target[frame] = plane[frame] }
    }
    try writer.write(buffer)
    try writer.close()
  }

  private func read(_ layout: ChannelLayout) throws -> [[Float]] {
    let descriptor = open(folder.file("a.wav"), O_RDONLY)
    defer { close(descriptor) }
    let reader = try WAVFileReader(descriptor: descriptor, name: "a.wav", channels: layout.count)
    let buffer = AudioBuffer(channels: layout.count)
    while try reader.read(into: buffer) {}
    return (0..<layout.count).map { Array(buffer.channel($0)) }
  }

  private func refusal(_ layout: ChannelLayout) -> MediaError.Kind? {
    do {
      _ = try read(layout)
      return nil
    } catch { return (error as? MediaError)?.kind }
  }

  @Test(
    "a written WAV file reads back", .tags(.system), .fullRunOnly,
    arguments: SampleEncoding.allCases, [1, 2, 6])
  func whatWasWrittenIsRead(encoding: SampleEncoding, channels: Int) throws {
    let layout = try #require(ChannelLayout.conventional(channels: channels))
    var noise = SeededNoise(seed: 21)
    let bits = encoding.integerBits ?? 24
    let scale = Float(1 << (bits - 1))
    let planes = (0..<channels).map { _ in
      [-1, 1 - 1 / scale, 0]
        + noise.samples(40_000).map { max(-1, min(1 - 1 / scale, ($0 * scale).rounded() / scale)) }
    }
    let settings = SoundSettings(
      format: AudioFormat(sampleRate: 48_000, layout: layout),
      coding: OutputCoding(.pcm, encoding: encoding), frames: 40_003)
    try write(planes, settings)
    #expect(try read(layout) == planes)
  }

  @Test("the digest of no bytes and of abc is that of SHA-256")
  func theDigestOfBytesIsSHA256() throws {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(Digest(.sha256).hexadecimal == empty)
    #expect(Digest.sha256([]) == empty)
    let bytes = Array("abc".utf8)
    var digest = Digest(.sha256)
    bytes.withUnsafeBytes { digest.update($0) }
    #expect(digest.hexadecimal == Digest.sha256(bytes))
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(digest.hexadecimal == abc)
  }

  @Test("a stereo WAV that is read as mono fails verification")
  func wrongChannelCountsAreRefused() throws {
    try WAVBytes.pcm16([[1, 2], [3, 4]], rate: 48_000).write(to: folder.url("a.wav"))
    #expect(refusal(.mono) == .verificationFailed)
    #expect(refusal(.stereo) == nil)
  }

  @Test("a WAV of 8 bits or of 16-bit floats fails verification")
  func encodingsItCannotDecodeAreRefused() throws {
    var bytes = WAVBytes.pcm16([[1, 2], [3, 4]], rate: 48_000)
    bytes[34] = 8
    try bytes.write(to: folder.url("a.wav"))
    #expect(refusal(.stereo) == .verificationFailed)
    bytes[34] = 16
    bytes[20] = 3
    try bytes.write(to: folder.url("a.wav"))
    #expect(refusal(.stereo) == .verificationFailed)
  }

  @Test("a WAV that shrinks while it is read is an error")
  func aFileThatShrinksWhileReadIsAnError() throws {
    let plane = [Int16](repeating: 5, count: 50_000)
    try WAVBytes.pcm16([plane], rate: 48_000).write(to: folder.url("a.wav"))
    let descriptor = open(folder.file("a.wav"), O_RDWR)
    defer { close(descriptor) }
    let reader = try WAVFileReader(descriptor: descriptor, name: "a.wav", channels: 1)
    let buffer = AudioBuffer(channels: 1)
    #expect(try reader.read(into: buffer))
    #expect(ftruncate(descriptor, 40_000) == 0)
    #expect(throws: MediaError.self) { while try reader.read(into: buffer) {} }
  }
}
