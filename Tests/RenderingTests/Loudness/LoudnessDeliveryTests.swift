// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import MediaOut
import Rendering
import TestSupport
import Testing

/// Programmes that are hard to normalise arrive at −16.00 ± 0.05 LUFS and −1.00 dBTP, by libebur128.
@Suite struct LoudnessDeliveryTests {
  /// Stereo programmes by name.
  static func planes(_ name: String) -> [[Float]] {
    switch name {
    case "quiet": return TestProgramme.planes(channels: 2, seconds: 12, level: 0.0004)
    case "loud": return TestProgramme.planes(channels: 2, seconds: 12, level: 0.9)
    case "dense":
      return Signals.clipped(
        TestProgramme.planes(channels: 2, seconds: 12, level: 1), to: 0.08)
    case "clicks":
      var planes = TestProgramme.planes(channels: 2, seconds: 20, level: 0.02)
      for index in stride(from: 30_000, to: 900_000, by: 190_000) {
        planes[0][index] = 0.9
        planes[1][index + 700] = -0.8
      }
      return planes
    case "five": return TestProgramme.planes(channels: 2, seconds: 5)
    case "range":
      // LRA 20: quiet for 40 s, then 20 dB louder.
      return Signals.scaled(
        TestProgramme.planes(channels: 2, seconds: 80, level: 0.15), by: 0.1, in: 0..<1_920_000)
    default: return []
    }
  }

  private func render(_ name: String, rate: Int = 48_000) async throws -> RenderCase {
    var test = try RenderCase(WAVBytes.float32(Self.planes(name), rate: rate))
    test.job.outputs[0].endpoint = .none
    return test
  }

  @Test(
    "quiet, loud, clipped and dynamic programmes are delivered at the target", .tags(.slow),
    .fullRunOnly, arguments: ["quiet", "loud", "dense", "clicks", "five", "range"])
  func hardProgrammesArriveAtTheTarget(name: String) async throws {
    let test = try await render(name)
    let report = try await test.run()
    let judge = LibEBUR128(try test.decoded())
    #expect((judge.integrated + 16).magnitude <= 0.05)
    #expect(judge.truePeak <= -1)
    let limiter = report.loudness?.limiter
    let reduction = limiter?.maxReductionDB ?? 0
    let isHard = reduction > 6 || reduction >= 0.1 && (limiter?.activeFraction ?? 0) > 0.01
    #expect(report.degradations.contains { $0.code == .limited } == isHard)
    if name == "range" {
      #expect(((report.loudness?.input.range ?? 0) - 20).magnitude < 2)
    }
  }

  /// Half a step of 16 bits is −96.3 dBFS.
  @Test(
    "a programme below half a step of 16 bits becomes silence that is reported, and keeps its level in 24 bits",
    arguments: [(SampleEncoding.pcm16, true), (.pcm24, false)])
  func whatIsRoundedAwayIsReported(encoding: SampleEncoding, isLost: Bool) async throws {
    let planes = TestProgramme.planes(channels: 2, seconds: 0.5, level: 0.000_002)
    var test = try RenderCase(WAVBytes.float32(planes, rate: 48_000))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    test.job.encoding = encoding
    let report = try await test.run()
    #expect(try test.decoded().planes.joined().allSatisfy { $0 == 0 } == isLost)
    #expect(report.degradations.contains { $0.code == .precision } == isLost)
  }

  /// Apart from the limiter's work, every 100 ms have the same gain to 0.01 dB.
  @Test(.tags(.slow), .fullRunOnly, arguments: ["loud", "clicks", "five", "range"])
  func linearStretchesHaveOneGain(name: String) async throws {
    let test = try await render(name)
    let report = try await test.run()
    let wanted = try #require(report.loudness?.gainDB)
    let before = Self.planes(name)
    let after = try test.decoded().planes
    var linear = 0
    var held = 0
    for start in stride(from: 0, to: before[0].count - 4800, by: 4800) {
      let range = start..<start + 4800
      let (left, right) = (Signals.energy(before, range), Signals.energy(after, range))
      guard left > 1e-9 else { continue }
      let gain = 10 * log10(right / left)
      if (gain - wanted).magnitude < 0.01 { linear += 1 } else { held += 1 }
    }
    if report.loudness?.limiter == nil { #expect(held == 0) }
    #expect(linear > held)
    // The steps beside those the limiter touched are within its reach; all others are exact.
    let activity = report.loudness?.limiter?.activeFraction ?? 0
    let steps = Double(linear + held)
    #expect(Double(held) <= activity * steps + 2 * Double(Self.clicks(name)) + 0.5)
  }

  /// Number of places at which the limiter must work.
  private static func clicks(_ name: String) -> Int { name == "clicks" ? 10 : 40 }

  @Test(.tags(.system), .fullRunOnly) func metadataModeDeliversDialnormsGain() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 6, seconds: 5, level: 0.02, mask: 0x3F).write(
      to: folder.url("a.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("a.wav"), "-c:a", "eac3", "-dialnorm", "-23", folder.file("a.mkv"),
    ])
    var test = try RenderCase(path: folder.file("a.mkv"))
    test.job.loudness?.mode = .metadata
    let report = try await test.run()
    let loudness = try #require(report.loudness)
    #expect(loudness.mode == .metadata && loudness.outcome == .metadata)
    #expect(loudness.gainDB == 7 && loudness.dialnormGainDB == 7)
    let measured = try #require(loudness.measuredGainDB)
    #expect((try #require(loudness.differenceDB) - measured + 7).magnitude < 1e-9)
    let (before, after) = (loudness.input.integrated ?? 0, loudness.output.integrated ?? 0)
    #expect((after - before - 7).magnitude < 0.001)
    #expect((LibEBUR128(try test.decoded()).integrated - after).magnitude < 0.01)
  }

  @Test func metadataModeIsRefusedWithoutDialnorm() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 2))
    test.job.loudness?.mode = .metadata
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .unsupportedFeature)
    #expect(failure?.error.message.contains("in.wav") == true)
    #expect(test.folder.contents == ["in.wav"])
  }

  @Test("a programme within the threshold is copied bit by bit") func nearEnoughIsCopiedThrough()
    async throws
  {
    let first = try await render("five")
    _ = try await first.run()
    var test = try RenderCase(path: first.outputPath)
    test.job.outputs[0].endpoint = .none
    test.job.loudness = LoudnessTarget(integrated: -16.3, truePeak: -1)
    test.job.loudness?.threshold = 0.5
    let report = try await test.run()
    #expect(report.status == .unchanged && report.loudness?.gainDB == 0)
    #expect(try test.decoded().planes == (try first.decoded().planes))
  }

  @Test func seriesOfTheDeliveredFileIsInTheReport() async throws {
    let test = try await render("five")
    let report = try await test.run()
    let series = try #require(report.loudness?.series)
    #expect(series.momentary.count == 50 && series.shortTerm.count == 50)
    let largest = series.shortTerm.compactMap { $0 }.max() ?? 0
    #expect((largest - (report.loudness?.output.shortTermMax ?? 0)).magnitude < 0.006)
  }
}
