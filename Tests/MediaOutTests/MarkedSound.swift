// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import LibAV
import Platform
import TestSupport

@testable import MediaOut

/// Noise with markers, as files of the product in a folder of their own.
struct MarkedSound {
  static let rate = 48_000
  static let format = AudioFormat(sampleRate: rate, layout: .stereo)

  let frames: Int
  let markers: [ProgrammeMarker]
  let folder: TemporaryFolder

  init(frames: Int, markers: [ProgrammeMarker]) throws {
    self.frames = frames
    self.markers = markers
    folder = try TemporaryFolder()
  }

  /// `count` markers at uneven samples from `first` on; each title has 100 bytes of UTF-8 or a few more, and
  /// the first of a file is "Ä 0 …".
  init(count: Int, first: Int64 = 0, step: Int64 = 1439) throws {
    let markers = (0..<Int64(count)).map { index in
      ProgrammeMarker(
        time: MediaTime(ticks: first + index * step + index % 7, rate: Int64(MarkedSound.rate)),
        title: "Ä \(index) " + String(repeating: "x", count: 97 - "\(index)".count))
    }
    try self.init(frames: Int(first + Int64(count) * step) + 500, markers: markers)
  }

  /// Chapters that ffprobe must find: places in samples.
  var expected: [ProbedChapter] {
    markers.map {
      ProbedChapter(
        start: $0.time.samples(at: MarkedSound.rate), rate: Int64(MarkedSound.rate),
        title: $0.title)
    }
  }

  /// Sends all samples to `sink`.
  func send(to sink: any AudioSink) throws {
    var noise = SeededNoise(seed: 3)
    var left = frames
    while left > 0 {
      let count = min(left, 4096)
      let buffer = AudioBuffer(channels: 2, capacity: count)
      buffer.grow(by: count)
      for channel in 0..<2 {
        let plane = buffer.channel(channel)
        for (index, value) in noise.samples(count, peak: 0.5).enumerated() {
          plane[index] = (value * 32_768).rounded() / 32_768
        }
      }
      try sink.write(buffer)
      left -= count
    }
    try sink.close()
  }

  /// Writes a file by the sink that `make` opens on its descriptor; its path.
  func file(_ name: String, _ make: (Int32, String) throws -> any AudioSink) throws -> String {
    let path = folder.file(name)
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try send(to: try make(descriptor, path))
    return path
  }

  /// Settings of a writer, with the markers as chapters.
  func settings(_ coding: OutputCoding) -> SoundSettings {
    var settings = SoundSettings(
      format: MarkedSound.format, coding: coding, frames: Int64(frames))
    settings.texts.chapters = markers
    return settings
  }

  func wav(_ change: (inout SoundSettings) -> Void = { _ in }) throws -> String {
    var settings = settings(OutputCoding(.pcm, encoding: .pcm16))
    change(&settings)
    return try file("a.wav") {
      try WAVWriter(descriptor: $0, name: $1, settings: settings)
    }
  }

  func flac() throws -> String {
    var settings = settings(OutputCoding(.flac, encoding: .pcm16))
    settings.texts.tags["title"] = "The whole"
    return try file("a.flac") {
      try FLACWriter(descriptor: $0, name: $1, settings: settings)
    }
  }

  func ogg() throws -> String {
    try file("a.opus") {
      try OggOpusWriter(descriptor: $0, name: $1, settings: settings(OutputCoding(.opus)))
    }
  }

  /// Fragmented MP4 with fragments of 2 s.
  func mp4(_ encoding: AudioEncoding, startOffset: Int64 = 0) throws -> String {
    var coding = OutputCoding(encoding)
    coding.fragmentDuration = .samples(96_000)
    var settings = settings(coding)
    settings.startOffset = startOffset
    let titles = ChapterTrack(
      markers, rate: MarkedSound.rate,
      end: MediaTime(ticks: startOffset + Int64(frames), rate: Int64(MarkedSound.rate)))
    return try file("a.mp4") { descriptor, path in
      try MultiplexedAudioWriter<FragmentedMP4Writer>(
        name: path,
        files: [
          MultiplexedFile(
            sink: DescriptorSink(descriptor: descriptor, name: path),
            tracks: [titles].compactMap { $0 }, holdsPushedTrack: true)
        ], audio: EncodedAudioTrack(settings), settings: settings)
    }
  }
}
