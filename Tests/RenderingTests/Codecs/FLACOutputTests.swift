// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import MediaOut
import Rendering
import TestSupport
import Testing

/// Rendered to FLAC files.
@Suite struct FLACOutputTests {
  private func make(_ bits: SampleEncoding, channels: Int = 2) throws -> RenderCase {
    var test = try RenderCase(TestProgramme.wav(channels: channels, seconds: 3))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.flac")))]
    test.job.form = .flac
    test.job.encoding = bits
    return test
  }

  @Test(
    "a FLAC output has the samples of the WAV output", .tags(.system), .fullRunOnly,
    arguments: [SampleEncoding.pcm16, .pcm24], [1, 2, 6, 8])
  func samplesAreThoseOfTheWAVFile(bits: SampleEncoding, channels: Int) async throws {
    var test = try make(bits, channels: channels)
    let report = try await test.run()
    #expect(report.outputs[0].format == "flac" && report.outputs[0].verified)
    let flac = try Decoded(test.folder.file("out.flac"))
    test.job.form = .wav
    test.job.outputs[0].location = .file(test.outputPath)
    _ = try await test.run()
    let wav = try test.decoded()
    #expect(flac.planes == wav.planes && flac.planes.count == channels)
    let tested = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=bits_per_raw_sample", "-of", "csv=p=0",
        test.folder.file("out.flac"),
      ])
    #expect(String(decoding: tested.output, as: UTF8.self).hasPrefix(bits == .pcm16 ? "16" : "24"))
  }

  @Test func twoRunsGiveTheSameBytes() async throws {
    var test = try make(.pcm24)
    _ = try await test.run()
    let first = try Data(contentsOf: test.folder.url("out.flac"))
    test.job.policy.overwrite = true
    test.job.blockSize = 480
    _ = try await test.run()
    #expect(try Data(contentsOf: test.folder.url("out.flac")) == first)
  }

  @Test(
    "a FLAC output keeps tags and cover and carries the mark of a render", .tags(.system),
    .fullRunOnly) func tagsCoverAndMarkAreKept() async throws
  {
    var test = try make(.pcm24)
    let source = test.folder.file("source.flac")
    try FixtureStore.ffmpeg([
      "-i", test.folder.file("in.wav"), "-f", "lavfi", "-i", "color=red:s=64x48:d=0.04",
      "-frames:v", "1",
      "-map", "0", "-map", "1", "-c:v", "png", "-disposition:v", "attached_pic", "-metadata",
      "title=Ärger", "-metadata", "track=3/12", source,
    ])
    test.job.input = .file(source)
    test.job.outputs[0].endpoint = .headphones
    test.job.loudness = nil
    let report = try await test.run()
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    func picture(_ path: String) throws -> Data {
      try Tool.run(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "image2pipe", "-"]
      ).output
    }
    #expect(try picture(test.folder.file("out.flac")) == picture(source))
    let again = try MediaProber().probe(path: test.folder.file("out.flac"))
    #expect(again.track?.virtualized == true)
    let tags = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", test.folder.file("out.flac")])
    let text = String(decoding: tags.output, as: UTF8.self)
    #expect(text.contains("title=Ärger") && text.contains("track=3/12"), "\(text)")
  }

  @Test("a layout unknown to FLAC is refused") func layoutsThatFLACHasNotAreRefused() async throws {
    var test = try make(.pcm24)
    let nine = try RenderCase(TestProgramme.wav(channels: 9, seconds: 1))
    test.job.input = nine.job.input
    test.job.decoding.layout = ChannelLayout(name: "FL+FR+FC+LFE+BL+BR+FLC+FRC+BC")
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .unsupportedFeature)
    #expect(!FileManager.default.fileExists(atPath: test.folder.file("out.flac")))
  }

  /// In a signal of a few integer steps, rounding changes the measured loudness; that is no error.
  @Test("a FLAC render of a few integer steps is no loudness error") func nearSilenceIsNoFault()
    async throws
  {
    var samples = [Int16](repeating: 0, count: 48_000)
    for index in samples.indices where index % 7 == 0 { samples[index] = index % 2 == 0 ? 1 : -1 }
    var test = try RenderCase(WAVBytes.pcm16([samples, samples], rate: 48_000))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.flac")))]
    test.job.form = .flac
    test.job.loudness = .init(integrated: -70, truePeak: -1, peakPolicy: .limit)
    test.job.encoding = .pcm16
    #expect(try await test.run().outputs[0].verified)
  }
}
