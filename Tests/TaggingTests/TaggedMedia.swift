// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Short files of each format, made by ffmpeg or by hand.
enum TaggedMedia {
  /// A row of the tables: a format, what the file is called, and what ffmpeg makes it with; nothing for files made by hand.
  struct Row: Sendable, CustomTestStringConvertible {
    let format: TagFormat
    let name: String
    let words: [String]
    var testDescription: String { name }
  }

  /// All formats that tags are written to.
  static let rows = [
    Row(format: .flac, name: "a.flac", words: ["-c:a", "flac"]),
    Row(format: .oggVorbis, name: "a.ogg", words: ["-c:a", "libvorbis"]),
    Row(format: .oggOpus, name: "a.opus", words: ["-c:a", "libopus", "-b:a", "64k"]),
    Row(format: .oggFLAC, name: "a.oga", words: ["-c:a", "flac", "-f", "ogg"]),
    Row(format: .mpeg, name: "a.mp3", words: ["-c:a", "libmp3lame", "-id3v2_version", "0"]),
    Row(format: .mp4, name: "a.m4a", words: ["-c:a", "aac"]),
    Row(
      format: .mp4, name: "front.m4a", words: ["-c:a", "alac", "-movflags", "+faststart"]),
    Row(format: .wav, name: "a.wav", words: ["-c:a", "pcm_s16le"]),
    Row(format: .aiff, name: "a.aiff", words: ["-c:a", "pcm_s16be"]),
    Row(format: .wavPack, name: "a.wv", words: ["-c:a", "wavpack"]),
    Row(format: .monkeysAudio, name: "a.ape", words: []),
    Row(format: .musepack, name: "a.mpc", words: []),
  ]

  /// Makes the file of `row` at `path`: `seconds` of a sine in stereo.
  static func make(_ row: Row, at path: String, seconds: Int = 1) throws {
    guard !row.words.isEmpty else {
      // TagLib needs no more than the first bytes of these.
      let mark = row.format == .musepack ? "MPCK" : "MAC "
      let body = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      try Data(mark.utf8 + [0x96, 0x0F, 0, 0] + body).write(to: URL(fileURLWithPath: path))
      return
    }
    let made = path + "." + (row.name.split(separator: ".").last ?? "")
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=\(seconds)"]
        + ["-ac", "2", "-map_metadata", "-1", "-bitexact"] + row.words + [made])
    _ = rename(made, path)
  }

  /// A digest of the coded sound: ffmpeg's of the packets, or of the bytes before the tags of files made by hand.
  static func sound(_ file: LocalFile) throws -> [UInt8] {
    let head = file.bytes(at: 0, count: 4)
    if ["MPCK", "MAC "].contains(String(decoding: head, as: UTF8.self)) {
      return Array(try file.wholeContent().prefix(20_008))
    }
    let words = ["-nostdin", "-v", "error", "-i", file.path, "-map", "0:a", "-c", "copy"]
    let result = try Tool.run("ffmpeg", words + ["-f", "streamhash", "-hash", "sha256", "-"])
    guard result.status == 0, !result.output.isEmpty else {
      throw ToolFailure(text: result.errors)
    }
    return Array(result.output)
  }

  /// The bytes of a file.
  static func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
