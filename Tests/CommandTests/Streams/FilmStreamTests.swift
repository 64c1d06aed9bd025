// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Films in HLS: the report names renditions that aren't read, and dry runs list all files.
@Suite(.tags(.system), .fullRunOnly) struct FilmStreamTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Data("1\n00:00:00,500 --> 00:00:01,500\nhello\n".utf8).write(to: folder.url("in.srt"))
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=d=3:s=160x90:r=25", "-f", "lavfi", "-i", "sine=d=3", "-i",
      folder.file("in.srt"), "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-c:a",
      "aac", "-c:s", "srt", folder.file("in.mkv"),
    ])
  }

  private func render(_ arguments: [String]) throws -> Tool.Result {
    try Product.run(["render"] + arguments)
  }

  @Test("pictures and subtitles of an HLS film that aren't carried are reported")
  func picturesInAnotherPlaylistAreMissed() throws {
    let made = try render([
      folder.file("in.mkv"), "-f", "hls", "-o", folder.file("film.m3u8"), "-q",
    ])
    #expect(made.status == 0, "\(made.errors)")
    for (extra, isTold) in [([], true), (["--video", "drop", "--subtitles", "drop"], false)] {
      let result = try render(
        [folder.file("film.m3u8"), "-o", folder.file("out.mp4"), "-y", "--json"] + extra)
      let text = String(decoding: result.output, as: UTF8.self)
      #expect(result.status == 0, "\(result.errors)")
      #expect(text.contains("video-left-out") == isTold)
      #expect(text.contains("subtitles-left-out") == isTold)
    }
    let strict = try render([
      folder.file("film.m3u8"), "-o", folder.file("out.mp4"), "-y", "--strict",
    ])
    #expect(strict.status != 0 && strict.errors.contains("video"))
  }

  @Test("a dry run refuses an HLS film whose picture or subtitle files exist")
  func dryRunsSeeTheFilesOfPicturesAndSubtitles() async throws {
    let call = [folder.file("in.mkv"), "-f", "hls", "-o", folder.file("film.m3u8"), "-n"]
    let free = try render(call + ["--json"])
    #expect(free.status == 0, "\(free.errors)")
    #expect(!String(decoding: free.output, as: UTF8.self).contains("left-out"))
    #expect(folder.contents == ["in.mkv", "in.srt"])
    for name in ["film-video.mp4", "film-video.m3u8", "film-subtitles-1.vtt"] {
      try Data("x".utf8).write(to: folder.url(name))
      let result = try await InProcess.run(["render"] + call)
      #expect(result.status == 6 && result.errors.contains(name), "\(name): \(result.errors)")
      try FileManager.default.removeItem(at: folder.url(name))
    }
  }
}
