// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import JOC

/// Results of other implementations for streams with objects; beside the checkout, not part of it.
enum JOCOracle {
  /// Folder of the oracle's files, if it is here.
  static let folder: String? = SharedMedia.beside("joc/oracle")

  static var isPresent: Bool { folder != nil }

  static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name }

  /// The content of a gzip file.
  static func unpacked(_ name: String) throws -> Data {
    try Tool.run("gzip", ["-dc", path(name)]).output
  }

  /// The lines of a file, each a JSON object.
  static func lines(_ name: String) throws -> [[String: Any]] {
    let data =
      name.hasSuffix(".gz")
      ? try unpacked(name) : try Data(contentsOf: URL(fileURLWithPath: path(name)))
    return try data.split(separator: UInt8(ascii: "\n")).map { line in
      try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
    }
  }

  /// The frames of a stream of E-AC-3: of the oracle, or for `sample` the real one.
  static func frames(_ name: String) throws -> [[UInt8]] {
    let url =
      name == "sample"
      ? URL(fileURLWithPath: SharedMedia.beside("media/sample_eac3joc.mp4") ?? "/nowhere")
      : URL(fileURLWithPath: path(name + ".ec3"))
    let bytes = [UInt8](try Data(contentsOf: url))
    // The frames of the movie lie one behind the other.
    var place = bytes.indices.first { index in
      index + 6 < bytes.count && bytes[index] == 0x0B && bytes[index + 1] == 0x77
        && (name != "sample" || bytes[index + 2] & 0xF8 == 0)
    }
    var frames: [[UInt8]] = []
    while let start = place, start + 6 < bytes.count, bytes[start] == 0x0B, bytes[start + 1] == 0x77
    {
      let size = 2 * ((Int(bytes[start + 2] & 7) << 8 | Int(bytes[start + 3])) + 1)
      guard start + size <= bytes.count else { break }
      frames.append(Array(bytes[start..<start + size]))
      place = start + size
    }
    return frames
  }

  /// Reads the frames of a stream and hands over the number of each and what it has.
  static func readEach(
    _ name: String, first count: Int = .max, _ body: (Int, JOCUnitReader) throws -> Void
  ) throws {
    let reader = JOCUnitReader()
    for (index, frame) in try frames(name).prefix(count).enumerated() {
      let isComplete = try frame.withUnsafeBufferPointer { try reader.read($0) }
      try #require(isComplete, "frame \(index)")
      try body(index, reader)
    }
  }

  /// Samples of a sound file, plane by plane, by ffmpeg.
  static func planes(_ name: String, channels: Int) throws -> [[Float]] {
    try planes(of: ["-i", path(name)], channels: channels)
  }

  /// The downmix of a made stream, without dynamic range control.
  static func decoded(_ name: String) throws -> [[Float]] {
    try planes(of: ["-drc_scale", "0", "-i", path(name + ".ec3")], channels: 6)
  }

  private static func planes(of input: [String], channels: Int) throws -> [[Float]] {
    let result = try Tool.run(
      "ffmpeg", ["-v", "error"] + input + ["-f", "f32le", "-c:a", "pcm_f32le", "-"])
    let samples = Signals.floats(result.output)
    return (0..<channels).map { Signals.channel($0, of: channels, in: samples) }
  }
}
