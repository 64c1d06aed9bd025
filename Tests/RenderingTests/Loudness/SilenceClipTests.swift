// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Rendering
import Report
import TestSupport
import Testing

/// Silence as an input: exact length, any layout, and its level is left alone.
@Suite struct SilenceClipTests {
  private func render(_ text: String, range: Clip.Range = Clip.Range()) async throws -> RenderReport
  {
    let folder = try TemporaryFolder()
    var clip = Clip(MediaLocation(text))
    clip.range = range
    let request = RenderRequest(
      clips: [clip],
      outputs: [OutputRequest(.file(folder.file("out.wav")), Rendition(.channels()))])
    return try await RenderPipeline().render(request)
  }

  @Test("silence:2s is two silent seconds") func isAsLongAsAskedAndSilent() async throws {
    let report = try await render("silence:1.5s:5.1:44100")
    #expect(report.outputs[0].samples == 66_150)
    #expect(report.outputs[0].render?.layout == "5.1")
    #expect(report.status == .silent)
    #expect(report.outputs[0].truePeak == nil)
  }

  @Test("a range of made silence has the length of the range") func aRangeIsTakenOutOfIt()
    async throws
  {
    let report = try await render(
      "silence:10s", range: Clip.Range(start: .seconds(8), end: .after(.seconds(1))))
    #expect(report.outputs[0].samples == 48_000)
    let beyond = try await render(
      "silence:2s", range: Clip.Range(start: .seconds(1), end: .at(.seconds(5))))
    #expect(beyond.outputs[0].samples == 48_000)
    #expect(beyond.degradations.contains { $0.code == .rangeShort })
  }

  @Test(
    "a text other than silence:TIME names a file",
    arguments: ["silence:", "silence:x", "silence:1s:nine", "silence:1s:5.1:4"])
  func otherTextsAreFiles(text: String) {
    #expect(MediaLocation(text) == .file(text))
  }
}
