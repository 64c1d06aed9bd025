// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

/// Everything that an output leaves out is named.
@Suite(.tags(.system), .fullRunOnly) struct LeftOutTests {
  /// Two tracks of sound, pictures, a subtitle track, two chapters and an attachment.
  private func film(_ folder: TemporaryFolder) throws -> String {
    let texts = folder.file("a.srt")
    try Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8).write(to: folder.url("a.srt"))
    let chapters =
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=A\n"
      + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=B\n"
    try Data(chapters.utf8).write(to: folder.url("chapters.txt"))
    try Data("a font".utf8).write(to: folder.url("a.ttf"))
    let path = folder.file("film.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=d=1:s=64x64:r=10", "-f", "lavfi", "-i", "sine=d=1:r=48000",
      "-i", texts, "-i", folder.file("chapters.txt"), "-map", "0:v", "-map", "1:a", "-map", "1:a",
      "-map", "2:s", "-map_metadata", "3", "-c:v", "mpeg4", "-c:a", "flac", "-c:s", "srt",
      "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", "-metadata:s:a:1",
      "title=Kommentar", "-attach", folder.file("a.ttf"), "-metadata:s:t", "mimetype=font/ttf",
      path,
    ])
    return path
  }

  @Test(
    "other tracks of sound, pictures, subtitles, chapters and attachments that stay behind are named"
  )
  func allIsNamed() async throws {
    let folder = try TemporaryFolder()
    var test = try RenderCase(path: film(folder))
    test.job.outputs[0].location = .file(test.folder.file("out.flac"))
    test.job.form = .flac
    let report = try await test.run()
    let found = report.decisions.filter { $0.code == .leftOut }
    #expect(
      found.map(\.chose) == [
        "audio track 1 (ger, flac mono, \"Kommentar\"), the video, 1 subtitle track, attachment a.ttf"
      ])
  }

  @Test("an input with one track of sound and nothing else leaves nothing out")
  func nothingIsNothing() async throws {
    let test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1))
    #expect(try await !test.run().decisions.contains { $0.code == .leftOut })
  }
}
