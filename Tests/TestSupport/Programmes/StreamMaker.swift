// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Makes HLS with ffmpeg from known samples, with which a render can be compared.
package struct StreamMaker {
  /// The folder of all files.
  package let folder: TemporaryFolder

  /// A maker with a folder of its own.
  package init() throws { folder = try TemporaryFolder() }

  /// Writes `planes` as 16-bit WAV to `name`; answers the stored samples, full scale ±1.
  package func source(
    _ name: String, seconds: Double, channels: Int = 2, rate: Int = 48_000, seed: UInt64 = 1
  ) throws -> [[Float]] {
    var noise = SeededNoise(seed: seed)
    let count = Int(seconds * Double(rate))
    var smooth = [Float](repeating: 0, count: channels)
    var planes = [[Int16]](repeating: [], count: channels)
    for index in 0..<count {
      for channel in 0..<channels {
        smooth[channel] += 0.1 * (Float.random(in: -1...1, using: &noise) - smooth[channel])
        let tone = 0.2 * sinf(Float(index * (channel + 1)) * 0.031)
        planes[channel].append(Int16(max(-1, min(1, smooth[channel] + tone)) * 20_000))
      }
    }
    try WAVBytes.pcm16(planes, rate: rate).write(to: folder.url(name))
    return planes.map { $0.map { Float($0) / 32_768 } }
  }

  /// Encodes `source` with `codec` and cuts it into a playlist `name`.
  package func stream(_ name: String, of source: String, codec: [String], _ options: [String] = [])
    throws
  {
    try Tool.ffmpeg(
      ["-i", folder.file(source), "-c:a"] + codec
        + ["-strict", "-2", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"] + options
        + [folder.file(name)])
  }

  /// The lines of a text file in the folder.
  package func lines(_ name: String) throws -> [String] {
    try String(contentsOf: folder.url(name), encoding: .utf8).split(separator: "\n").map(
      String.init)
  }

  /// Writes `lines` to a text file in the folder.
  package func write(_ lines: [String], to name: String) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.url(name))
  }

  /// The body of a media playlist: everything from its first map, key or segment to before its end.
  package func body(_ name: String) throws -> [String] {
    let start = ["#EXT-X-MAP", "#EXT-X-KEY", "#EXTINF", "#EXT-X-BYTERANGE"]
    return try lines(name).drop { line in !start.contains { line.hasPrefix($0) } }
      .filter { $0 != "#EXT-X-ENDLIST" }
  }

  /// Writes a playlist of several bodies with a discontinuity between each two.
  package func join(_ bodies: [[String]], to name: String, end: [String] = ["#EXT-X-ENDLIST"])
    throws
  {
    let head = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:3"]
    try write(head + bodies.joined(separator: ["#EXT-X-DISCONTINUITY"]) + end, to: name)
  }
}
