// SPDX-License-Identifier: Apache-2.0
import Foundation
import Rendering
import TestSupport
import Testing

/// Dolby Vision's configuration and codec strings, on HEVC that is given a configuration record.
@Suite(.tags(.system), .fullRunOnly) struct DolbyVisionTests {
  /// A film of HEVC in MP4 whose sample entry has a Dolby Vision configuration (`dvcC`, `dvvC`).
  private func film(
    _ folder: TemporaryFolder, profile: Int, level: Int, compatibility: Int, type: String
  ) throws -> String {
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=192x108:r=24:d=2", "-f", "lavfi", "-i", "sine=d=2", "-c:v",
      "libx265", "-x265-params",
      "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc", "-pix_fmt",
      "yuv420p10le", "-tag:v", "hvc1", "-c:a", "aac", folder.file("plain.mp4"),
    ])
    var record: [UInt8] = [1, 0]
    let fields = profile << 9 | level << 3 | 0b101
    record += [UInt8(fields >> 8), UInt8(fields & 255), UInt8(compatibility << 4)]
    record += [UInt8](repeating: 0, count: 19)
    let name = profile > 7 ? "dvvC" : "dvcC"
    let box: [UInt8] = [0, 0, 0, UInt8(8 + record.count)] + Array(name.utf8) + record
    var bytes = Array(try Data(contentsOf: folder.url("plain.mp4")))
    insert(box, into: &bytes, at: ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1"])
    let path = folder.file("dolby.mp4")
    var data = Data(bytes)
    if let place = data.range(of: Data("hvc1".utf8), options: .backwards) {
      data.replaceSubrange(place, with: Data(type.utf8))
    }
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Appends a box inside the one at `path`; `moov` stands behind the media, so nothing moves.
  private func insert(_ box: [UInt8], into bytes: inout [UInt8], at path: [String]) {
    var start = 0
    var headers: [Int] = []
    for name in path {
      while start + 8 <= bytes.count, bytes[(start + 4)..<(start + 8)] != ArraySlice(name.utf8) {
        start += size(bytes, start)
      }
      headers.append(start)
      start += name == "stsd" ? 16 : 8
    }
    guard let last = headers.last else { return }
    bytes.insert(contentsOf: box, at: last + size(bytes, last))
    for header in headers {
      let total = size(bytes, header) + box.count
      for index in 0..<4 { bytes[header + index] = UInt8(total >> (24 - 8 * index) & 255) }
    }
  }

  private func size(_ bytes: [UInt8], _ start: Int) -> Int {
    max(8, bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) })
  }

  @Test(arguments: [
    (8, 1, 1, "hvc1", "hvc1", "SUPPLEMENTAL-CODECS=\"dvh1.08.01/db1p\""),
    (8, 6, 4, "hvc1", "hvc1", "SUPPLEMENTAL-CODECS=\"dvh1.08.06/db4h\""),
    (5, 3, 0, "hvc1", "dvh1", "CODECS=\"dvh1.05.03,mp4a.40.2\""),
    (5, 3, 0, "dvh1", "dvh1", "CODECS=\"dvh1.05.03,mp4a.40.2\""),
  ])
  func configurationAndNamesAreKept(
    profile: Int, level: Int, compatibility: Int, type: String, written: String, words: String
  ) async throws {
    let folder = try TemporaryFolder()
    let source = try film(
      folder, profile: profile, level: level, compatibility: compatibility, type: type)
    var test = try RenderCase(path: source)
    test.job.outputs = [.init(endpoint: .none, location: .file(folder.file("a.m3u8")))]
    test.job.form = .hls(.aac, bitRate: nil)
    let report = try await test.run()
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    let text = try String(contentsOf: folder.url("a.m3u8"), encoding: .utf8)
    #expect(text.contains(words) && text.contains("VIDEO-RANGE=PQ"), "\(text)")
    let movie = folder.file("a-video.mp4")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: movie))
    #expect(bytes.range(of: Data(written.utf8)) != nil)
    let shown = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream_side_data=dv_profile,dv_level", "-of", "csv=p=0",
        movie,
      ])
    let facts = String(decoding: shown.output, as: UTF8.self)
    #expect(facts.contains("\(profile),\(level)"), "\(facts)")
  }
}
