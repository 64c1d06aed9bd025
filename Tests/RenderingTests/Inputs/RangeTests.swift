// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// A range is the slice of the whole decode, to the sample.
@Suite struct RangeTests {
  private let planes = ImpulseSignal.planes()

  @Test(
    "a range has the samples of the same slice of the whole", .tags(.system), .fullRunOnly,
    arguments: ["aac", "libmp3lame", "eac3", "flac", "libopus"])
  func rangeEqualsTheSliceOfTheWhole(codec: String) async throws {
    let folder = try TemporaryFolder()
    try WAVBytes.pcm16(planes, rate: 48_000).write(to: folder.url("s.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("s.wav"), "-c:a", codec, folder.file("s.mkv")])
    var test = try RenderCase(path: folder.file("s.mkv"))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    test.job.encoding = .float32
    test.job.policy.overwrite = true
    _ = try await test.run()
    let whole = try test.decoded().planes
    test.job.start = try TimeSpec("0.2345s", option: "--start")
    test.job.clip.range.end = .at(try TimeSpec("80001S", option: "--end"))
    let report = try await test.run()
    let slice = try test.decoded().planes
    #expect(slice == whole.map { Array($0[11_256..<80_001]) })
    #expect(report.timeline?.start.samples == 11_256)
    test.job.clip.range.end = .after(try TimeSpec("00:00:01.25", option: "--duration"))
    _ = try await test.run()
    #expect(try test.decoded().planes == whole.map { Array($0[11_256..<71_256]) })
  }

  @Test func rangesBeyondTheEndAreRefused() async throws {
    var test = try RenderCase(WAVBytes.pcm16(planes, rate: 48_000))
    test.job.start = try TimeSpec("1:00", option: "--start")
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .usage)
    #expect(test.folder.contents == ["in.wav"])
  }

  @Test("the report says at which time decoding of a range began")
  func theReportSaysWhereDecodingBegan() async throws {
    // A range that begins early is read from the beginning, so the signal is played five times.
    let long = planes.map { plane in (0..<5).flatMap { _ in plane } }
    var test = try RenderCase(WAVBytes.pcm16(long, rate: 48_000))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    test.job.policy.overwrite = true
    test.job.start = try TimeSpec("480542S", option: "--start")
    let entered = try await test.run()
    #expect(entered.decisions.first { $0.code == .rangeStart }?.chose == "00:00:10.011")
    #expect(entered.timeline?.samplesIn == 74 && entered.timeline?.samplesOut == 73)
    #expect(entered.timeline?.start.samples == 480_542)
    test.job.clip.gaps = .ignore
    let whole = try await test.run()
    #expect(whole.decisions.first { $0.code == .rangeStart }?.chose == "the beginning of the track")
    #expect(whole.timeline?.samplesIn == 480_615)
    #expect(whole.outputs[0].pcmSHA256 == entered.outputs[0].pcmSHA256)
  }

  @Test func timesAreParsedExactly() throws {
    #expect(try TimeSpec("01:02:03.5", option: "-").samples(at: 48_000) == 178_728_000)
    #expect(try TimeSpec("12.5s", option: "-").samples(at: 44_100) == 551_250)
    #expect(try TimeSpec("0.1", option: "-").samples(at: 44_100) == 4_410)
    #expect(try TimeSpec("480S", option: "-").samples(at: 1) == 480)
    for bad in ["", "s", "-1", "1:2:3:4", "abc", "1.2.3", "12x", "1e3", "-5S"] {
      #expect(throws: (any Error).self, "\(bad)") { try TimeSpec(bad, option: "-") }
    }
  }

  /// Audio that begins 499.333 ms after the picture.
  @Test(.tags(.system), .fullRunOnly) func lateAudioKeepsItsTimeWhenAsked() async throws {
    let folder = try TemporaryFolder()
    try WAVBytes.pcm16(planes, rate: 48_000).write(to: folder.url("s.wav"))
    let file = folder.file("late.mkv")
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "color=s=64x64:r=25:d=3", "-itsoffset", "0.5", "-i",
      folder.file("s.wav"), "-c:v", "mpeg4", "-c:a", "flac", file,
    ])
    var test = try RenderCase(path: file)
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    let report = try await test.run()
    #expect(report.timeline?.start.samples == 24_000)
    test.job.clip.alignment = .presentation
    test.job.policy.overwrite = true
    let aligned = try await test.run()
    #expect(aligned.timeline?.start.samples == 0)
    let decoded = try test.decoded()
    #expect(decoded.planes[0].count == ImpulseSignal.frames + 24_000)
    #expect(decoded.planes[0].prefix(24_000).allSatisfy { $0 == 0 })
    #expect(decoded.planes[0][24_000] == Float(planes[0][0]) * 0x1p-15)
  }
}
