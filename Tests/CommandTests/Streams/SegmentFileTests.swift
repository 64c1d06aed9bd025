// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// HLS whose segments are files in a folder.
@Suite(.tags(.system), .fullRunOnly) struct SegmentFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 9).write(to: folder.url("in.wav"))
  }

  private func render(_ codec: String, _ more: [String] = []) throws -> Tool.Result {
    try Product.run(
      [
        "render", folder.file("in.wav"), "-e", "none", "-l", "off", "-c:a", codec,
        "--segment-files", "-o", folder.file("a.m3u8"), "-q",
      ] + more)
  }

  private func names(_ path: String = "a-segments") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file(path)).sorted()
  }

  @Test("--segment-files writes segments that ffmpeg plays like byte ranges of one file")
  func segmentsPlayAsOneFileDoes() throws {
    let made = try render("flac", ["--segment-duration", "2s"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.contents == ["a-audio.m3u8", "a-segments", "a.m3u8", "in.wav"])
    #expect(
      try names()
        == (1...5).map { "audio-0000\($0).m4s" } + ["audio-init.mp4"])
    let check = try Product.run(["validate", "--isolate", folder.file("a.m3u8")])
    #expect(check.status == 0, "\(check.errors)")
    // ffmpeg plays them as it plays byte ranges of one file.
    func sum(_ name: String) throws -> Data {
      try Tool.run(
        "ffmpeg", ["-v", "error", "-i", folder.file(name), "-c:a", "pcm_s24le", "-f", "md5", "-"]
      ).output
    }
    let whole = try Product.run([
      "render", folder.file("in.wav"), "-e", "none", "-l", "off", "-c:a", "flac", "-o",
      folder.file("b.m3u8"), "-q",
    ])
    #expect(whole.status == 0)
    #expect(try sum("a.m3u8") == sum("b.m3u8") && !sum("a.m3u8").isEmpty)
    let first = try Data(contentsOf: folder.url("a-segments/audio-00001.m4s"))
    #expect(first[4..<8] == Data("styp".utf8))
  }

  @Test("validate finds a segment that is cut, exchanged or missing")
  func damagedSegmentsAreFound() throws {
    #expect(try render("aac", ["--segment-duration", "2s"]).status == 0)
    let segment = folder.url("a-segments/audio-00003.m4s")
    let bytes = try Data(contentsOf: segment)
    let other = try Data(contentsOf: folder.url("a-segments/audio-00002.m4s"))
    for (change, code) in [
      (Data(bytes.dropLast(7)), "cut"), (other, "sequence"), (other, "decode-time"),
      (Data(), "missing"),
    ] {
      if change.isEmpty {
        try FileManager.default.removeItem(at: segment)
      } else {
        try change.write(to: segment)
      }
      let check = try Product.run(["validate", "--json", folder.file("a.m3u8")])
      #expect(check.status == 7)
      let text = String(decoding: check.output, as: UTF8.self)
      #expect(text.contains("\"\(code)\""), "\(code): \(text)")
    }
  }

  @Test("-y replaces old segments, and refuses a folder with a foreign file")
  func replacingLeavesNoOldSegmentsAndNothingElseIsTouched() throws {
    #expect(try render("aac", ["--segment-duration", "1s"]).status == 0)
    #expect(try names().count == 11)
    let refused = try render("aac")
    #expect(refused.status == 6 && refused.errors.contains("exists already"))
    #expect(try render("aac", ["--segment-duration", "4s", "-y"]).status == 0)
    #expect(try names().count == 4)
    try Data("mine".utf8).write(to: folder.url("a-segments/notes.txt"))
    let before = try names()
    let kept = try render("aac", ["-y"])
    #expect(kept.status == 6 && kept.errors.contains("notes.txt"), "\(kept.errors)")
    #expect(try names() == before)
    #expect(folder.contents == ["a-audio.m3u8", "a-segments", "a.m3u8", "in.wav"])
  }

  @Test("an output that would replace the input's segments is refused")
  func theInputsOwnSegmentsArentReplaced() async throws {
    #expect(try render("flac").status == 0)
    let result = try await InProcess.run([
      "render", folder.file("a.m3u8"), "-o", folder.file("a.m3u8"), "--segment-files", "-y",
      "-c:a", "flac",
    ])
    #expect(result.status == 6, "\(result.errors)")
    #expect(try names() == ["audio-00001.m4s", "audio-00002.m4s", "audio-init.mp4"])
  }

  @Test("--segment-files with an MP4 output is refused")
  func onlyHLSHasSegments() async throws {
    let result = try await InProcess.run([
      "render", folder.file("in.wav"), "-o", folder.file("a.mp4"), "--segment-files",
    ])
    #expect(result.status == 2 && result.errors.contains("--segment-files"))
  }
}
