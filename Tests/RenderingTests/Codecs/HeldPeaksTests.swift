// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import MediaOut
import Rendering
import Report
import TestSupport
import Testing

/// A programme whose peaks AAC lifts is encoded once, and only the places of the peaks again.
@Suite struct HeldPeaksTests {
  private func made(_ encoding: AudioEncoding = .aac) throws -> RenderCase {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 9, level: 0.2))
    test.job.outputs = [
      .init(endpoint: .none, location: .file(test.folder.file("out.mp4")))
    ]
    test.job.form = .fragmentedMP4(encoding, bitRate: 96_000)
    test.job.policy.overwrite = true
    return test
  }

  private func decision(_ report: RenderReport) -> String? {
    report.decisions.first { $0.code == .encodedAgain }?.why
  }

  @Test("peaks behind the encoder stay below the ceiling, and the report says how")
  func theCeilingHoldsAndTheReportSaysHow() async throws {
    let test = try made()
    let report = try await test.run()
    let output = try #require(report.loudness?.output)
    #expect(try #require(output.truePeak) <= -0.95)
    #expect(((output.integrated ?? 0) + 16).magnitude <= 0.1)
    #expect(decision(report)?.contains("dB lower at these peaks") == true)
    #expect(!report.degradations.contains { $0.code == .codecOvershoot })
    #expect(test.folder.contents == ["in.wav", "out.mp4"])
    // A reader of another make hears the whole programme.
    #expect(try Decoded(test.folder.file("out.mp4")).planes.count == 2)
  }

  @Test("holding peaks gives the same bytes for all blocks and threads")
  func theBytesDependOnNothingElse() async throws {
    var test = try made()
    _ = try await test.run()
    let first = try Data(contentsOf: test.folder.url("out.mp4"))
    test.job.blockSize = 777
    _ = try await test.run()
    #expect(try Data(contentsOf: test.folder.url("out.mp4")) == first)
  }

  /// Only the limiter may lower single peaks; without it the whole programme is lowered, as before.
  @Test("without the limiter, a codec overshoot lowers the whole programme")
  func otherPoliciesEncodeTheWholeAgain() async throws {
    var test = try made()
    test.job.loudness = LoudnessTarget(integrated: -16, truePeak: -1, peakPolicy: .lower)
    let lowered = try await test.run()
    #expect(decision(lowered) == nil)
    #expect(try #require(lowered.loudness?.output.truePeak) <= -0.95)
    test.job.loudness = nil
    #expect(decision(try await test.run()) == nil)
  }

  @Test(
    "peaks behind Opus and MP3 are held in single packets, too",
    arguments: [AudioEncoding.opus, .mp3])
  func othersHoldTheirPeaksInPackets(codec: AudioEncoding) async throws {
    var test = try made(.opus)
    if codec == .mp3 {
      test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.mp3")))]
      test.job.form = .mp3(bitRate: 96_000)
    }
    let report = try await test.run()
    #expect(try #require(report.loudness?.output.truePeak) <= -0.95)
    let again = try #require(report.decisions.first { $0.code == .encodedAgain })
    #expect(again.chose.contains("% of the packets"), "\(again)")
  }

  /// Decaying noise, which AAC makes quieter by 0.7 LU.
  private func decaying() throws -> RenderCase {
    var noise = SeededNoise(seed: 7)
    let planes = (0..<2).map { _ in
      (0..<8 * 48_000).map { index -> Float in
        let age = Float(index % 12_000)
        let tone = sin(Float(2 * Double.pi * 70 * Double(index) / 48_000))
        return 0.6 * exp(-age / 1920) * Float.random(in: -1...1, using: &noise)
          + 0.4 * exp(-age / 7200) * tone
      }
    }
    var test = try RenderCase(WAVBytes.float32(planes, rate: 48_000))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(.aac, bitRate: 128_000)
    return test
  }

  /// The gain is solved again then and all is encoded again, with the peaks held.
  @Test func aDriftOfTheLoudnessIsStillCorrected() async throws {
    let test = try decaying()
    let report = try await test.run()
    let output = try #require(report.loudness?.output)
    #expect(((output.integrated ?? 0) + 16).magnitude <= 0.1)
    #expect(try #require(output.truePeak) <= -0.95)
  }

  @Test("peaks are held in packets also where no gain may correct the loudness")
  func peaksAreHeldBesideADriftThatStays() async throws {
    var test = try decaying()
    var target = LoudnessTarget.standard
    target.integrated = -8
    target.maxGain = 0
    test.job.loudness = target
    let report = try await test.run()
    #expect(report.degradations.contains { $0.code == .codecLoudness }, "\(report.degradations)")
    #expect(decision(report) != nil)
    #expect(try #require(report.loudness?.output.truePeak) <= -0.95)
  }

  @Test("spans of a longer programme tell how far the encoding moves its loudness")
  func aDriftIsForeseen() async throws {
    var noise = SeededNoise(seed: 3)
    let planes = (0..<2).map { _ in
      (0..<24 * 48_000).map { _ in Float.random(in: -0.3...0.3, using: &noise) }
    }
    var test = try RenderCase(WAVBytes.float32(planes, rate: 48_000))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.mp3")))]
    test.job.form = .mp3(bitRate: 128_000)
    let report = try await test.run()
    let output = try #require(report.loudness?.output)
    #expect(((output.integrated ?? 0) + 16).magnitude <= 0.1)
    #expect(try #require(output.truePeak) <= -0.95)
    #expect(
      report.decisions.contains { $0.code == .gain && $0.why.contains("as spans of it show") },
      "\(report.decisions)")
  }

  @Test("outputs that share a gain hold their peaks in packets, too")
  func sharedGainsHoldPeaks() async throws {
    let test = try made()
    var request = test.job.request
    request.sharesGain = true
    let report = try await RenderPipeline().render(request)
    #expect(decision(report) != nil, "\(report.decisions)")
    #expect(try #require(report.outputs[0].loudness?.output.truePeak) <= -0.95)
  }

  @Test("loudness that the encoding moves under a gain that was set beforehand is reported")
  func aDriftUnderAPinnedGainIsReported() async throws {
    var test = try decaying()
    var target = LoudnessTarget.standard
    target.pin = LoudnessTarget.Pin(-3, isJudged: false)
    test.job.loudness = target
    let report = try await test.run()
    #expect(report.degradations.contains { $0.code == .codecLoudness }, "\(report.degradations)")
  }
}
