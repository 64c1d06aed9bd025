// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// Sound that can't be measured or placed is decoded all the same where nothing has to be known of it: its channels
/// are kept as they are, at their own level, in WAV.
@Suite struct PlainSoundTests {
  /// A file with its sound, and what its report says in place of loudness.
  struct Row: Sendable, CustomTestStringConvertible {
    let channels: Int
    let rate: Int
    let obstacle: String
    var testDescription: String { "\(channels) channels at \(rate) Hz" }

    /// Half a second at an even level.
    var planes: [[Float]] { TestProgramme.planes(channels: channels, seconds: 0.5, rate: rate) }
  }

  private static let rows =
    [2_000, 4_000, 6_000, 7_999, 384_001, 768_000].map {
      Row(channels: 1, rate: $0, obstacle: "can't be measured at \($0) Hz")
    }
    + [9, 12, 16, 33, 65].map {
      Row(channels: $0, rate: 48_000, obstacle: "belong to no known loudspeakers")
    }

  /// The sound of `row` in a file, to be kept as it is.
  private func kept(_ row: Row) throws -> RenderCase {
    var test = try RenderCase(WAVBytes.float32(row.planes, rate: row.rate))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    test.job.encoding = .float32
    return test
  }

  @Test(
    "with the level off, channels of any rate and without a layout come out bit for bit, and the report has no loudness",
    arguments: rows)
  func channelsAreKept(row: Row) async throws {
    let test = try kept(row)
    let report = try await test.run()
    let decoded = try test.decoded()
    #expect(decoded.rate == row.rate)
    #expect(decoded.planes == row.planes)
    let output = try #require(report.outputs.first)
    #expect(output.integrated == nil && output.truePeak == nil)
    let level = try #require(output.loudness)
    let peak = row.planes.joined().map(\.magnitude).max() ?? 0
    let stated = try #require(level.output.samplePeak)
    #expect((stated - 20 * log10(Double(peak))).magnitude < 0.001)
    #expect(level.input.samplePeak == stated && level.output.momentaryMax == nil)
    #expect(report.status == .ok && report.degradations.isEmpty)
    #expect(report.decisions.contains { $0.code == .loudness && $0.why.contains(row.obstacle) })
  }

  @Test("channels without a layout get another rate each for itself, as a mono file does")
  func channelsAreResampledAlone() async throws {
    let row = Row(channels: 9, rate: 48_000, obstacle: "")
    var test = try kept(row)
    test.job.rendition.sampleRate = 44_100
    _ = try await test.run()
    let decoded = try test.decoded()
    #expect(decoded.rate == 44_100 && decoded.planes.count == 9)
    for channel in [0, 8] {
      var alone = try RenderCase(WAVBytes.float32([row.planes[channel]], rate: 48_000))
      alone.job.outputs[0].endpoint = .none
      alone.job.loudness = nil
      alone.job.encoding = .float32
      alone.job.rendition.sampleRate = 44_100
      _ = try await alone.run()
      #expect(try alone.decoded().planes == [decoded.planes[channel]])
    }
  }

  @Test("where places or loudness are needed, such sound is refused with the reason")
  func whatMustBeKnownIsAskedFor() async throws {
    let many = Row(channels: 12, rate: 48_000, obstacle: "")
    let slow = Row(channels: 1, rate: 4_000, obstacle: "")
    let cases: [(Row, MediaError.Kind, (inout RenderJob) -> Void)] = [
      (many, .layoutUnknown, { $0.loudness = .standard }),
      (many, .layoutUnknown, { $0.outputs[0].endpoint = .headphones }),
      (many, .layoutUnknown, { $0.layout = .stereo }),
      (
        many, .layoutUnknown,
        {
          ($0.form, $0.encoding) = (.flac, .pcm24)
          $0.outputs[0].location = .file($0.outputs[0].location.name + ".flac")
        }
      ),
      (slow, .unsupportedFeature, { $0.loudness = .standard }),
      (slow, .unsupportedFeature, { $0.outputs[0].endpoint = .headphones }),
    ]
    for (index, (row, kind, change)) in cases.enumerated() {
      var test = try kept(row)
      change(&test.job)
      let failure = await #expect(throws: RenderFailure.self, "case \(index)") {
        try await test.run()
      }
      #expect(failure?.error.kind == kind, "case \(index): \(String(describing: failure?.error))")
      #expect(test.folder.contents == ["in.wav"])
    }
  }
}
