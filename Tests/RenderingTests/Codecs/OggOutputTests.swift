// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// Opus in Ogg: exact by its own header, and other programs agree.
@Suite struct OggOutputTests {
  private func render(_ frames: Int, _ folder: TemporaryFolder) async throws -> String {
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=frequency=997:sample_rate=48000", "-af",
      "aformat=channel_layouts=stereo,volume=-9dB,atrim=end_sample=\(frames)", "-metadata",
      "title=A title", folder.file("in.wav"),
    ])
    let rendition = Rendition(.channels(), level: .standard)
    var request = RenderRequest(
      .file(folder.file("in.wav")),
      outputs: [
        OutputRequest(
          .file(folder.file("out.opus")), rendition,
          container: Container(.ogg, OutputCoding(bitRate: 128_000)))
      ])
    request.policy.overwrite = true
    let report = try await RenderPipeline().render(request)
    #expect(report.outputs.first?.format == "ogg")
    #expect(report.outputs.first?.samples == Int64(frames))
    return folder.file("out.opus")
  }

  @Test(
    "ffmpeg decodes an Ogg Opus output to the exact length", arguments: [48_000, 100_001, 960, 47])
  func ffmpegDecodesTheExactLength(frames: Int) async throws {
    let folder = try TemporaryFolder()
    let path = try await render(frames, folder)
    try Tool.ffmpeg(["-i", path, "-f", "f32le", "-y", folder.file("out.raw")])
    let bytes = try Data(contentsOf: folder.url("out.raw")).count
    #expect(bytes == frames * 2 * 4)
  }

  @Test("an Ogg Opus output has its tags and the output gain") func tagsAndTheGainAreThere()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try await render(96_000, folder)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let text = String(decoding: data.prefix(4096), as: UTF8.self)
    #expect(text.contains("title=A title") || text.contains("TITLE=A title"))
    // −16 LUFS asks for −7 dB to −23 LUFS: −1792 in 1/256 dB.
    #expect(text.contains("R128_TRACK_GAIN=-1792"))
  }

  @Test("a cover picture arrives unchanged in Ogg Opus") func theCoverArrives() async throws {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", folder.file("cover.png"),
    ])
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1", "-i", folder.file("cover.png"),
      "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic",
      folder.file("in.flac"),
    ])
    var request = RenderRequest(
      .file(folder.file("in.flac")),
      outputs: [
        OutputRequest(
          .file(folder.file("out.opus")), Rendition(.channels(), level: nil),
          container: Container(.ogg))
      ])
    request.policy.overwrite = true
    let report = try await RenderPipeline().render(request)
    #expect(!report.degradations.contains { $0.code == .coverArtLeftOut })
    try Tool.ffmpeg([
      "-i", folder.file("out.opus"), "-map", "0:v", "-c", "copy", "-f", "image2",
      folder.file("back.png"),
    ])
    let (before, after) = (folder.url("cover.png"), folder.url("back.png"))
    #expect(try Data(contentsOf: before) == Data(contentsOf: after))
  }

  @Test(.enabled(if: Tool.isInstalled("opusinfo"), "opusinfo isn't installed"))
  func opusinfoFindsNothingWrong() async throws {
    let folder = try TemporaryFolder()
    let path = try await render(96_000, folder)
    let found = try Tool.run("opusinfo", [path])
    let text = String(decoding: found.output, as: UTF8.self)
    #expect(text.contains("Pre-skip: 312"), "\(text)")
    #expect(text.contains("Playback length: 0m:02.000s"), "\(text)")
    #expect(!text.contains("WARNING"), "\(text)")
  }
}
