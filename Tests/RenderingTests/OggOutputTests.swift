import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// Opus in Ogg: exact by its own header, and other programs agree.
@Suite struct OggOutputTests {
  private func render(_ frames: Int, _ folder: TemporaryFolder) async throws -> String {
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "sine=frequency=997:sample_rate=48000", "-af",
      "aformat=channel_layouts=stereo,volume=-9dB,atrim=end_sample=\(frames)", "-metadata",
      "title=A title", folder.file("in.wav"),
    ])
    let rendition = Rendition(.channels(), level: .standard)
    var request = RenderRequest(
      .file(folder.file("in.wav")),
      outputs: [
        OutputRequest(
          .file(folder.file("out.opus")), rendition, container: .ogg(.init(bitRate: 128_000)))
      ])
    request.policy.overwrite = true
    let report = try await RenderPipeline().render(request)
    #expect(report.outputs.first?.format == "ogg")
    #expect(report.outputs.first?.samples == Int64(frames))
    return folder.file("out.opus")
  }

  @Test(arguments: [48_000, 100_001, 960, 47])
  func ffmpegDecodesTheExactLength(frames: Int) async throws {
    let folder = try TemporaryFolder()
    let path = try await render(frames, folder)
    try Tool.ffmpeg(["-i", path, "-f", "f32le", "-y", folder.file("out.raw")])
    let bytes = try Data(contentsOf: folder.url("out.raw")).count
    #expect(bytes == frames * 2 * 4)
  }

  @Test func tagsAndTheGainAreThere() async throws {
    let folder = try TemporaryFolder()
    let path = try await render(96_000, folder)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let text = String(decoding: data.prefix(4096), as: UTF8.self)
    #expect(text.contains("title=A title") || text.contains("TITLE=A title"))
    // −16 LUFS asks for −7 dB to −23 LUFS: −1792 in 1/256 dB.
    #expect(text.contains("R128_TRACK_GAIN=-1792"))
  }
}
