// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Sound at a rate that a codec doesn't take is converted, and the report says so.
@Suite struct CodecRateTests {
  private func render(
    rate: Int, to name: String, _ container: Container, asked: Int? = nil
  ) async throws -> (report: RenderReport, file: String, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1, rate: rate).write(to: folder.url("in.wav"))
    var rendition = Rendition(.channels(), level: nil)
    rendition.sampleRate = asked
    let request = RenderRequest(
      .file(folder.file("in.wav")),
      outputs: [OutputRequest(.file(folder.file(name)), rendition, container: container)])
    return (try await RenderPipeline().render(request), folder.file(name), folder)
  }

  private static func decisions(_ report: RenderReport) -> [String] {
    report.decisions.filter { $0.code == .rate }.map(\.chose)
  }

  @Test(
    "a codec's rate is that of the sound where it can be, else one of its family",
    arguments: [
      (.opus, 44_100, 48_000), (.opus, 48_000, 48_000), (.opus, 96_000, 48_000),
      (.opus, 16_000, 48_000), (.mp3, 44_100, 44_100), (.mp3, 8000, 8000), (.mp3, 96_000, 48_000),
      (.mp3, 192_000, 48_000), (.mp3, 88_200, 44_100), (.mp3, 176_400, 44_100),
      (.mp3, 37_800, 44_100), (.mp3, 64_000, 48_000), (.mp3, 50_000, 48_000),
      (.flac, 37_800, 37_800), (.ac3, 44_100, 44_100), (.ac3, 88_200, 48_000),
      (.eac3, 22_050, 48_000),
    ] as [(AudioEncoding, Int, Int)])
  func theRowChoosesTheRate(codec: AudioEncoding, rate: Int, chosen: Int) {
    #expect(codec.traits.rate(for: rate) == chosen)
  }

  @Test(
    "Opus at 44.1 kHz and MP3 above 48 kHz are converted by themselves",
    arguments: [
      (44_100, "a.opus", Container(.ogg), 48_000),
      (44_100, "a.mp4", Container(.fmp4, OutputCoding(.opus)), 48_000),
      (88_200, "a.mp3", Container(.mp3), 44_100), (96_000, "b.mp3", Container(.mp3), 48_000),
    ] as [(Int, String, Container, Int)])
  func otherRatesAreConverted(rate: Int, name: String, container: Container, chosen: Int)
    async throws
  {
    let done = try await render(rate: rate, to: name, container)
    #expect(CodecRateTests.decisions(done.report) == ["\(chosen) Hz"])
    #expect(done.report.decisions.contains { $0.code == .rate && $0.why.contains("\(rate)") })
    #expect(done.report.outputs[0].samples == Int64(chosen) && done.report.outputs[0].verified)
    #expect(try Decoded(byFFmpeg: done.file).rate == chosen)
  }

  @Test("a rate that is taken stays, and nothing is said")
  func aRateThatIsTakenStays() async throws {
    let done = try await render(rate: 44_100, to: "a.mp3", Container(.mp3))
    #expect(CodecRateTests.decisions(done.report).isEmpty)
    #expect(done.report.outputs[0].samples == 44_100)
  }

  @Test("a rate that is asked for and not taken is refused with those that are")
  func anAskedRateIsRefused() async throws {
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(rate: 48_000, to: "a.opus", Container(.ogg), asked: 44_100)
    }
    #expect(failure?.error.exitCode == 5)
    #expect(failure?.error.message.contains("opus takes 48000 Hz") == true)
  }

  @Test("in a queue, too, each output has a rate that its codec takes")
  func queuesAreConverted() async throws {
    let test = try QueueCase()
    let source = try test.write("a.wav", QueueCase.noise(1, 44_100), rate: 44_100)
    let request = RenderRequest(
      .queue(PlayQueue([QueueCase.item(source)])),
      outputs: [
        OutputRequest(
          .file(test.folder.file("a.opus")), Rendition(.channels(), level: nil),
          container: Container(.ogg))
      ])
    let report = try await RenderPipeline().render(request)
    #expect(CodecRateTests.decisions(report) == ["48000 Hz"])
    #expect(report.outputs[0].samples == 48_000)
  }
}
