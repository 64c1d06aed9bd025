// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import Report
import TestSupport
import Testing

/// Sound whose clock begins late, as in what is recorded of a running stream, or runs at another speed than the codec's
/// count, as in a phone's recordings, lacks nothing because of that; nor does sound of a length that the header doesn't know.
@Suite(.tags(.system), .fullRunOnly) struct LateClockTests {
  /// A file with such a clock.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Makes the file in a folder and gives its name.
    let make: @Sendable (TemporaryFolder) throws -> String
    /// Samples of the programme by the number of packets; `nil` where the decoder's frames decide.
    let samples: (@Sendable (Int) -> Int)?
  }

  private static func noise(_ seconds: Int) -> [String] {
    ["-f", "lavfi", "-i", "anoisesrc=d=\(seconds):r=48000:a=0.1:seed=4"]
  }

  /// Four seconds that begin 10 s late.
  private static func row(
    _ name: String, _ codec: String, _ samples: (@Sendable (Int) -> Int)?
  ) -> Row {
    Row(
      testDescription: "\(codec) in \(name)",
      make: { folder in
        try FixtureStore.ffmpeg(
          noise(4) + ["-c:a", codec, "-output_ts_offset", "10", folder.file(name)])
        return name
      }, samples: samples)
  }

  /// The segments of DASH in `range`, joined behind their initialisation segment (ISO/IEC 23009-1, 6.3).
  private static func segments(_ name: String, _ range: Range<Int>) -> Row {
    Row(
      testDescription: "\(name) of DASH",
      make: { folder in
        try Tool.ffmpeg(
          noise(8) + ["-c:a", "aac", "-f", "dash", "-seg_duration", "2", folder.file("x.mpd")])
        var data = try Data(contentsOf: folder.url("init-stream0.m4s"))
        for number in range {
          data += try Data(contentsOf: folder.url("chunk-stream0-0000\(number).m4s"))
        }
        try data.write(to: folder.url("part.mp4"))
        return "part.mp4"
        // Start-up samples lie in the first segment.
      }, samples: { $0 * 1024 })
  }

  /// Eight seconds in fragments without an index, of which the first three are missing.
  private static let fragments = Row(
    testDescription: "FLAC in fragments without an index",
    make: { folder in
      try FixtureStore.ffmpeg(
        noise(8) + [
          "-c:a", "flac", "-strict", "-2", "-frag_duration", "1000000", "-movflags",
          "frag_keyframe+empty_moov+default_base_moof", folder.file("whole.mp4"),
        ])
      var data = try Data(contentsOf: folder.url("whole.mp4"))
      let starts = data.indices.filter { data[$0...].starts(with: "moof".utf8) }.map { $0 - 4 }
      try #require(starts.count > 4)
      data.removeSubrange(starts[0]..<starts[3])
      try data.write(to: folder.url("part.mp4"))
      return "part.mp4"
      // 84 frames of 4608 samples, the last one of 1536.
    }, samples: { 384_000 - (84 - $0) * 4608 })

  /// Eight seconds of 376 frames, the first of which is start-up, under a clock that runs at `speed`.
  private static func drifting(_ speed: String) -> Row {
    Row(
      testDescription: "AAC in MP4 by a clock \(speed) times as fast",
      make: { folder in
        try FixtureStore.ffmpeg(
          noise(8) + ["-af", "asetpts=PTS*\(speed)", "-c:a", "aac", folder.file("drift.mp4")])
        return "drift.mp4"
      }, samples: { _ in 384_000 })
  }

  /// Eight seconds of Vorbis, whose first packet lasts in Matroska and gives no sample.
  private static let silentFirstPacket = Row(
    testDescription: "Vorbis of 8 kHz in Matroska",
    make: { folder in
      try FixtureStore.ffmpeg(
        noise(8) + ["-ar", "8000", "-c:a", "libvorbis", folder.file("v.mkv")])
      return "v.mkv"
    }, samples: { _ in 64_000 })

  /// Eight seconds in fragments whose media header doesn't know the length (ISO/IEC 14496-12, 8.4.2.3).
  private static let unknownLength = Row(
    testDescription: "AAC in fragments of unknown length",
    make: { folder in
      try FixtureStore.ffmpeg(
        noise(8) + [
          "-c:a", "aac", "-frag_duration", "1000000", "-movflags",
          "frag_keyframe+empty_moov+default_base_moof", folder.file("known.mp4"),
        ])
      var data = try Data(contentsOf: folder.url("known.mp4"))
      let duration = try #require(data.range(of: Data("mdhd".utf8))).upperBound + 16
      data.replaceSubrange(duration..<duration + 4, with: Data(repeating: 0xFF, count: 4))
      try data.write(to: folder.url("unknown.mp4"))
      return "unknown.mp4"
    }, samples: { _ in 384_000 })

  private static let rows = [
    silentFirstPacket, unknownLength,
    drifting("1.001"), drifting("0.999"),
    segments("segments from the third on", 3..<5), segments("the third segment", 3..<4), fragments,
    row("a.mkv", "flac") { _ in 192_000 }, row("a.ts", "ac3") { $0 * 1536 - 256 },
    row("a.mpg", "ac3") { $0 * 1536 - 256 }, row("a.flv", "aac") { $0 * 1024 - 1024 },
    row("a.wma", "wmav2", nil),
  ]

  @Test(
    "a clock that begins late or drifts, and an unknown length, make no file truncated",
    arguments: rows)
  func nothingIsMissing(row: Row) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file(try row.make(folder))
    var test = try RenderCase(path: path)
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    let report = try await test.run()
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    guard let samples = row.samples else { return }
    let probe = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "packet=size", "-select_streams", "a", "-of", "csv=p=0",
        path,
      ])
    let packets = String(decoding: probe.output, as: UTF8.self).split(separator: "\n").count
    #expect(report.outputs[0].samples == Int64(samples(packets)))
  }
}
