// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tags and covers that are given on the command line, as ffprobe reads them.
@Suite(.tags(.system), .fullRunOnly) struct TagOptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("plain.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("plain.wav"), "-metadata", "title=Old", "-metadata", "album=Gone",
      "-metadata", "genre=Kept", folder.file("in.flac"),
    ])
    for (name, size) in [("a.png", "64x48"), ("a.jpg", "80x60")] {
      try FixtureStore.ffmpeg([
        "-f", "lavfi", "-i", "color=red:s=\(size)", "-frames:v", "1", folder.file(name),
      ])
    }
  }

  private func probe(_ name: String) throws -> (tags: [String: String], pictures: [[String: Any]]) {
    let result = try Tool.run(
      "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-of", "json", folder.file(name)])
    let json =
      try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
    let streams = json["streams"] as? [[String: Any]] ?? []
    let parts = [json["format"] as? [String: Any] ?? [:]] + streams
    let tags = parts.reduce(into: [String: String]()) { all, part in
      for (name, value) in part["tags"] as? [String: String] ?? [:] {
        all[name.lowercased()] = value
      }
    }
    return (tags, streams.filter { $0["codec_type"] as? String == "video" })
  }

  @Test(
    "tags that are given take the place of the source's, and a cover is put in",
    arguments: ["out.flac", "out.mp3", "out.m4a", "out.opus"], ["a.png", "a.jpg"])
  func tagsAndCoverAreWritten(output: String, cover: String) throws {
    let result = try Product.run([
      "render", folder.file("in.flac"), "-o", folder.file(output), "-e", "none", "-q", "-y",
      "--tag",
      "title=New", "--tag", "artist=Ä=B", "--tag", "album=", "--cover", folder.file(cover),
    ])
    #expect(result.status == 0, "\(result.errors)")
    let (tags, pictures) = try probe(output)
    #expect(tags["title"] == "New" && tags["artist"] == "Ä=B" && tags["genre"] == "Kept")
    #expect(tags["album"] == nil)
    #expect(pictures.count == 1)
    #expect(pictures.first?["width"] as? Int == (cover == "a.png" ? 64 : 80))
    #expect(pictures.first?["height"] as? Int == (cover == "a.png" ? 48 : 60))
  }

  @Test("without the source's tags those that are given are written alone")
  func givenTagsStandAlone() throws {
    let result = try Product.run([
      "render", folder.file("in.flac"), "-o", folder.file("a.flac"), "-e", "none", "-q",
      "--no-metadata", "--tag", "artist=B",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let tags = try probe("a.flac").tags
    #expect(tags["artist"] == "B" && tags["title"] == nil && tags["genre"] == nil)
  }

  @Test("wrong tags and covers are refused in one sentence")
  func wrongOnesAreRefused() throws {
    try FixtureStore.ffmpeg(["-i", folder.file("in.flac"), "-c", "copy", folder.file("in.mka")])
    for (input, words, output, says) in [
      ("in.flac", ["--tag", "title"], "a.flac", "give it as name=value"),
      ("in.flac", ["--cover", folder.file("plain.wav")], "a.flac", "neither JPEG nor PNG"),
      ("in.flac", ["--cover", folder.file("absent.png")], "a.flac", "absent.png"),
      ("in.mka", ["--tag", "title=x"], "b.mka", "kept as they are in Matroska"),
      ("in.flac", ["--cover", folder.file("a.png")], "a.ac3", "no place for a picture"),
    ] as [(String, [String], String, String)] {
      let result = try Product.run(
        ["render", folder.file(input), "-o", folder.file(output), "-e", "none", "-q"] + words)
      #expect(result.status != 0 && result.errors.contains(says), "\(words): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(!folder.contents.contains(output))
    }
  }
}
