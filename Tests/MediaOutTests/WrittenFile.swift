// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Verify

@testable import MediaOut

/// A WAV file written by the product, in a folder of its own.
struct WrittenFile {
  let folder: TemporaryFolder
  let path: String
  let clipped: Int64

  /// Writes `planes` in blocks of `block` frames.
  init(_ planes: [[Float]], _ settings: SoundSettings, block: Int = 4096) throws {
    folder = try TemporaryFolder()
    path = folder.file("out.wav")
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let writer = try WAVWriter(descriptor: descriptor, name: path, settings: settings)
    let frames = planes.first?.count ?? 0
    for start in stride(from: 0, to: frames, by: block) {
      let end = min(frames, start + block)
      let buffer = AudioBuffer(channels: planes.count, capacity: end - start)
      buffer.grow(by: end - start)
      for (index, plane) in planes.enumerated() {
        let target = buffer.channel(index)
        for frame in start..<end { target[frame - start] = plane[frame] }
      }
      try writer.write(buffer)
    }
    try writer.close()
    clipped = writer.clippedSamples
  }

  /// Settings for a layout and encoding.
  static func settings(
    _ layout: ChannelLayout, _ encoding: SampleEncoding, frames: Int, dither: Dither = .none
  ) -> SoundSettings {
    SoundSettings(
      format: AudioFormat(sampleRate: 48_000, layout: layout),
      coding: OutputCoding(.pcm, encoding: encoding, dither: dither), frames: Int64(frames))
  }

  /// Planes of exact 16-bit integers, another noise for each channel.
  static func noise(channels: Int, frames: Int) -> [[Float]] {
    var noise = SeededNoise(seed: 11)
    return (0..<channels).map { _ in
      noise.samples(frames, peak: 0.9).map { ($0 * 32_768).rounded() / 32_768 }
    }
  }

  /// The whole file.
  func bytes() throws -> [UInt8] {
    try withExtendedLifetime(folder) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  /// The output of an outside program that reads the file.
  func run(_ program: String, _ arguments: [String]) throws -> Tool.Result {
    try withExtendedLifetime(folder) { try Tool.run(program, arguments) }
  }

  /// The header as our own parser sees it.
  func header() throws -> WAVHeader {
    let bytes = try bytes()
    return try WAVHeader(size: Int64(bytes.count)) { offset, count in
      guard offset < bytes.count else { return [] }
      return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }

  /// Chunk types in order with their declared sizes.
  func chunks() throws -> [(type: String, size: UInt32)] {
    let bytes = try bytes()
    var result: [(String, UInt32)] = []
    var offset = 12
    while offset + 8 <= bytes.count {
      let size = WrittenFile.little(bytes, offset + 4, 4)
      result.append((String(decoding: bytes[offset..<offset + 4], as: UTF8.self), UInt32(size)))
      guard size < 0xFFFF_FFFF else { break }
      offset += 8 + Int(size) + Int(size & 1)
    }
    return result
  }

  /// A little-endian integer of `count` bytes.
  static func little(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  /// Fields of the audio stream as ffprobe prints them.
  func probe(_ fields: [String]) throws -> [String: String] {
    let result = try run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=" + fields.joined(separator: ","), "-of",
        "default=noprint_wrappers=1", path,
      ])
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
      }, uniquingKeysWith: { first, _ in first })
  }
}
