// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import LibAV
import Platform
import TestSupport
import Testing

@testable import MediaOut

/// MP3 files as bytes: tags, the tag frame and the frames behind it must agree for every length and rate.
@Suite struct MP3WriterTests {
  /// A file taken apart.
  struct Parsed {
    /// The ID3 tag without its head.
    let tags: ArraySlice<UInt8>
    let frame: LAMETagTests.Fields
    /// The frames of sound.
    let sound: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8]) throws {
      // Without texts there is no ID3 tag.
      let isTagged = bytes.starts(with: "ID3".utf8)
      let size = isTagged ? bytes[6...9].reduce(0) { $0 << 7 | Int($1) } : 0
      tags = isTagged ? bytes[10..<10 + size] : []
      var (place, frames): (Int, [ArraySlice<UInt8>]) = (isTagged ? 10 + size : 0, [])
      while place < bytes.count {
        let header = try #require(LayerIIIHeader(bytes[place...]))
        try #require(place + header.size <= bytes.count)
        frames.append(bytes[place..<place + header.size])
        place += header.size
      }
      frame = LAMETagTests.Fields(Array(try #require(frames.first)))
      sound = Array(frames.dropFirst())
    }
  }

  private static func file(
    _ frames: Int, rate: Int = 48_000, channels: Int = 2,
    _ change: (inout SoundSettings) -> Void = { _ in }
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.file("a.mp3")
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var settings = SoundSettings(
      format: AudioFormat(sampleRate: rate, layout: channels == 1 ? .mono : .stereo),
      coding: OutputCoding(.mp3), frames: Int64(frames))
    change(&settings)
    let writer = try MP3Writer(descriptor: descriptor, name: path, settings: settings)
    var noise = SeededNoise(seed: 11)
    let buffer = AudioBuffer(channels: channels)
    buffer.appendSilence(frames)
    for channel in 0..<channels {
      for (index, value) in noise.samples(frames, peak: 0.3).enumerated() {
        buffer.channel(channel)[index] = Float(value)
      }
    }
    try writer.write(buffer)
    try writer.close()
    return [UInt8](try Data(contentsOf: folder.url("a.mp3")))
  }

  private static func check(_ bytes: [UInt8], frames: Int) throws {
    let found = try Parsed(bytes)
    let samples = found.frame.frame[1] & 0x18 == 0x18 ? 1152 : 576
    // At least three frames of sound, or FFmpeg 5.1 finds no stream.
    #expect(found.sound.count >= 3)
    #expect(found.frame.number(8, 4) == found.sound.count)
    #expect(found.frame.delay == 576)
    #expect(found.frame.padding == found.sound.count * samples - 576 - frames)
    let length = found.frame.frame.count + found.sound.reduce(0) { $0 + $1.count }
    #expect(found.frame.number(148, 4) == length)
    #expect(found.frame.number(152, 2) == LAMETagTests.checksum(found.sound.joined()))
    let end = found.frame.place + 154
    #expect(
      found.frame.number(154, 2) == LAMETagTests.checksum(found.frame.frame[..<end]))
  }

  @Test(
    "delay, frames and padding give each length exactly",
    arguments: [0, 1, 46, 47, 576, 1151].map { 11_520 + $0 } + [1, 100, 575, 576, 1152, 1153])
  func eachLengthIsStated(frames: Int) throws {
    try MP3WriterTests.check(try MP3WriterTests.file(frames), frames: frames)
  }

  @Test(
    "each rate of MP3 is written, mono and stereo", arguments: LAMETagTests.rates, [1, 2])
  func eachRateIsWritten(rate: Int, channels: Int) throws {
    for frames in [30, 600, 9999] {
      let bytes = try MP3WriterTests.file(frames, rate: rate, channels: channels)
      try MP3WriterTests.check(bytes, frames: frames)
    }
  }

  @Test("a quality is Xing's, and its frames have different sizes")
  func qualitiesVary() throws {
    let bytes = try MP3WriterTests.file(48_000) { $0.coding.encoderOptions = ["q": "4"] }
    try MP3WriterTests.check(bytes, frames: 48_000)
    #expect(try Parsed(bytes).frame.text(0, 4) == "Xing")
  }

  @Test("the loudness is ReplayGain, in the tag frame and as text")
  func theLoudnessIsReplayGain() throws {
    let bytes = try MP3WriterTests.file(4800) {
      $0.texts.loudness = TrackLoudness(integrated: -16, truePeak: -1)
      $0.texts.maker = "Pinna 1"
    }
    let found = try Parsed(bytes)
    #expect(found.frame.number(135, 2) == 0x2E14)
    #expect((Double(found.frame.number(131, 4)) / 0x1p23 - 0.891251).magnitude < 1e-5)
    let texts = ID3BlockTests.Frame.all(found.tags, bits: 8).map { [$0.id] + $0.texts }
    #expect(
      texts == [
        ["TSSE", "Pinna 1"], ["TXXX", "REPLAYGAIN_TRACK_GAIN", "-2.00 dB"],
        ["TXXX", "REPLAYGAIN_TRACK_PEAK", "0.891251"],
      ])
  }

  @Test("the loudness of the album stands beside that of the track")
  func theAlbumStandsBesideTheTrack() throws {
    let bytes = try MP3WriterTests.file(4800) {
      $0.texts.loudness = TrackLoudness(integrated: -16, truePeak: -1)
      $0.texts.albumLoudness = TrackLoudness(integrated: -19.5, truePeak: 0)
    }
    let found = try Parsed(bytes)
    #expect(found.frame.number(135, 2) == 0x2E14 && found.frame.number(137, 2) == 0x4C0F)
    let texts = ID3BlockTests.Frame.all(found.tags, bits: 8).map(\.texts)
    #expect(texts.contains(["REPLAYGAIN_ALBUM_GAIN", "1.50 dB"]))
    #expect(texts.contains(["REPLAYGAIN_ALBUM_PEAK", "1.000000"]))
  }

  @Test("a file of no samples is refused by name") func nothingIsRefused() throws {
    let failure = #expect(throws: MediaError.self) { try MP3WriterTests.file(0) }
    #expect(failure?.kind == .unsupportedFeature && failure?.exitCode == 5)
  }

  @Test("packets that were stored give the same file as sound")
  func storedPacketsGiveTheSameFile() throws {
    let sound = try MarkedSound(count: 3)
    let settings = sound.settings(OutputCoding(.mp3))
    let store = try PacketStore()
    try sound.send(
      to: PacketStoreSink(try FrameEncoder(settings.coding, format: settings.format), store))
    let path = try sound.file("a.mp3") {
      try MP3Writer(descriptor: $0, name: $1, settings: settings)
    }
    let descriptor = open(sound.folder.file("b.mp3"), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try MP3Writer(descriptor: descriptor, name: path, settings: settings).write(store)
    #expect(
      try Data(contentsOf: sound.folder.url("b.mp3"))
        == Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
