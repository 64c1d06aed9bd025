// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna validate` on playlists, and segments played alone.
@Suite(.tags(.system), .fullRunOnly) struct ValidatePlaylistTests {
  private func make(_ folder: TemporaryFolder, codec: String = "aac") throws {
    try TestProgramme.wav(channels: 2, seconds: 9).write(to: folder.url("in.wav"))
    let result = try Product.run([
      "render", folder.file("in.wav"), "-e", "none", "-l", "off", "-c:a", codec,
      "--segment-duration", "2s", "-o", folder.file("a.m3u8"), "-q",
    ])
    #expect(result.status == 0, "\(result.errors)")
  }

  private func codes(_ path: String, _ more: [String] = []) throws -> (Int32, [String]) {
    let result = try Product.run(["validate", path, "--json"] + more)
    let found = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let findings = found?["findings"] as? [[String: Any]] ?? []
    return (result.status, findings.compactMap { $0["code"] as? String })
  }

  @Test(
    "validate --isolate finds nothing wrong with HLS that pinna wrote",
    arguments: ["aac", "flac", "alac"])
  func whatWeWriteIsRight(codec: String) throws {
    let folder = try TemporaryFolder()
    try make(folder, codec: codec)
    let result = try codes(folder.file("a.m3u8"), ["--isolate"])
    #expect(result.0 == 0 && result.1.isEmpty, "\(result.1)")
    let movie = try codes(folder.file("a.mp4"), ["--isolate"])
    #expect(movie.0 == 0 && movie.1.isEmpty, "\(movie.1)")
  }

  private func edit(
    _ folder: TemporaryFolder, _ change: (String) -> String
  ) throws -> (Int32, [String]) {
    let url = folder.url("a-audio.m3u8")
    let text = try String(contentsOf: url, encoding: .utf8)
    let changed = change(text)
    #expect(changed != text)
    try Data(changed.utf8).write(to: url)
    defer { try? Data(text.utf8).write(to: url) }
    return try codes(folder.file("a.m3u8"))
  }

  @Test("validate finds wrong durations, names and byte ranges of a playlist")
  func wrongPlaylistsAreFound() throws {
    let folder = try TemporaryFolder()
    try make(folder)
    let cases: [(code: String, change: (String) -> String)] = [
      ("extinf-sum", { $0.replacingOccurrences(of: "#EXTINF:2.0", with: "#EXTINF:1.9") }),
      ("target-duration", { $0.replacingOccurrences(of: "DURATION:2", with: "DURATION:1") }),
      ("byte-order-mark", { "\u{FEFF}" + $0 }),
      ("end-list", { $0.replacingOccurrences(of: "#EXT-X-ENDLIST\n", with: "") }),
      ("missing", { $0.replacingOccurrences(of: "\na.mp4", with: "\nb.mp4") }),
      (
        "segment-boundary",
        { text in
          var lines = text.split(separator: "\n").map(String.init)
          for index in lines.indices where lines[index].hasPrefix("#EXT-X-BYTERANGE:") {
            let parts = lines[index].dropFirst(17).split(separator: "@").compactMap { Int($0) }
            lines[index] = "#EXT-X-BYTERANGE:\(parts[0] - 1)@\(parts[1])"
            break
          }
          return lines.joined(separator: "\n") + "\n"
        }
      ),
    ]
    for (code, change) in cases {
      let result = try edit(folder, change)
      #expect(result.0 == 7 && result.1.contains(code), "\(code): \(result.1)")
    }
  }

  @Test(
    "validate finds two renditions of one name and a language of three letters in a multivariant playlist"
  )
  func wrongRenditionsAreFound() throws {
    let folder = try TemporaryFolder()
    try make(folder)
    let url = folder.url("a.m3u8")
    let text = try String(contentsOf: url, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("#EXT-X-MEDIA") })
    let again = line.replacingOccurrences(of: "DEFAULT=YES", with: "LANGUAGE=\"eng\",DEFAULT=NO")
    try Data(text.replacingOccurrences(of: line, with: "\(line)\n\(again)").utf8).write(to: url)
    let result = try codes(folder.file("a.m3u8"))
    #expect(result.0 == 7 && result.1 == ["language-tag", "rendition-name"], "\(result.1)")
  }

  @Test("validate --isolate finds a segment that needs another one")
  func aSegmentThatNeedsAnotherIsFound() throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 6).write(to: folder.url("in.wav"))
    // One key frame at the beginning, fragments of a second all the same.
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=d=6:s=64x64:r=25", "-i", folder.file("in.wav"), "-c:v",
      "libx264", "-g", "1000", "-c:a", "aac", "-movflags", "empty_moov+default_base_moof",
      "-frag_duration", "1000000", folder.file("a.mp4"),
    ])
    let result = try codes(folder.file("a.mp4"), ["--isolate"])
    #expect(result.0 == 7 && result.1.contains("isolate"), "\(result.1)")
  }
}
