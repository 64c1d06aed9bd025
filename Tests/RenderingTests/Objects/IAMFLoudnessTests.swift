// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import Report
import TestSupport
import Testing

/// The loudness that a file of IAMF states, beside what is measured.
@Suite(.tags(.media), .enabled(if: IAMFExpectation.isPresent, "../shared is missing"))
struct IAMFLoudnessTests {
  /// The one file whose figures an encoder measured: 7.1.4, stated for stereo and for 7.1.4.
  private static let film = "7_1_4_Flac.iamf"

  private func render(
    _ path: String, _ endpoint: Endpoint.Kind, _ layout: ChannelLayout? = nil,
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> RenderReport {
    var test = try RenderCase(path: path)
    test.job.outputs[0].endpoint = endpoint
    test.job.layout = layout
    change(&test.job)
    return try await test.run()
  }

  /// A copy of the film whose statement for 7.1.4 has these bytes: layout, `info_type`, loudness and peak.
  private func film(stating bytes: [UInt8]) throws -> (folder: TemporaryFolder, path: String) {
    var data = try Data(contentsOf: URL(fileURLWithPath: IAMFExpectation.media(Self.film)))
    // Sound system 9; −17.37890625 and −1.93359375 in Q7.8.
    let old: [UInt8] = [0xA4, 0, 0xEE, 0x9F, 0xFE, 0x11]
    data.replaceSubrange(try #require(data.range(of: Data(old))), with: bytes)
    let folder = try TemporaryFolder()
    try data.write(to: folder.url("film.iamf"))
    return (folder, folder.file("film.iamf"))
  }

  /// A right figure is reported beside the measured one, and is no fault.
  @Test(
    "a right loudness stated by IAMF is reported beside the measured one",
    arguments: [
      (ChannelLayout?.some(.stereo), "stereo", -19.4375), (nil, "7.1.4", -17.37890625),
    ])
  func rightFiguresAgree(layout: ChannelLayout?, name: String, wanted: Double) async throws {
    let report = try await render(IAMFExpectation.media(Self.film), .none, layout)
    let stated = try #require(report.loudness?.stated)
    #expect(stated.layout == name && stated.integrated == wanted && stated.comparable)
    #expect(try #require(stated.differenceLU).magnitude < 0.02)
    #expect(stated.measured == report.loudness?.input.integrated)
    #expect(!report.degradations.contains { $0.code == .loudnessInfoWrong })
  }

  /// A wrong figure is reported in one sentence with both, before any gain; of a part of the programme nothing is
  /// known.
  @Test("a wrong loudness stated by IAMF is reported with both figures") func wrongFiguresAreTold()
    async throws
  {
    let made = try film(stating: [0xA4, 0, 0xEC, 0, 0xFE, 0x11])
    let report = try await render(made.path, .none) { $0.loudness = nil }
    let stated = try #require(report.loudness?.stated)
    #expect(stated.integrated == -20 && stated.comparable)
    let told = try #require(report.degradations.first { $0.code == .loudnessInfoWrong })
    #expect(
      told.message == "the file states -20.00 LUFS for 7.1.4, but measured are -17.38 LUFS")
    #expect(told.subject == .output(0))
    let part = try await render(made.path, .none) { $0.clip.range.end = .at(.seconds(5)) }
    #expect(part.loudness?.stated?.comparable == false)
    #expect(!part.degradations.contains { $0.code == .loudnessInfoWrong })
    // The file's other statement is right.
    let stereo = try await render(made.path, .none, .stereo)
    #expect(!stereo.degradations.contains { $0.code == .loudnessInfoWrong })
  }

  /// The gain follows the statement for the layout that is rendered.
  @Test func metadataModeFollowsTheLayout() async throws {
    for (layout, gain) in [(ChannelLayout?.some(.stereo), 3.4375), (nil, 1.37890625)] {
      let report = try await render(IAMFExpectation.media(Self.film), .none, layout) {
        $0.rendition.level?.mode = .metadata
        $0.rendition.level?.peakPolicy = .ignore
      }
      #expect(report.loudness?.gainDB == gain && report.loudness?.outcome == .metadata)
      let why = report.decisions.first { $0.code == .gain }?.why
      #expect(why?.contains("the loudness stated for \(layout?.name ?? "7.1.4")") == true)
    }
  }

  /// HRTF changes loudness, so headphones follow only what is stated for them.
  @Test func headphonesNeedAStatementOfTheirOwn() async throws {
    let plain = try await render(IAMFExpectation.media(Self.film), .headphones) {
      $0.rendition.level?.mode = .metadata
    }
    #expect(plain.loudness?.mode == .measured && plain.loudness?.stated == nil)
    #expect((try #require(plain.outputs[0].integrated) + 16).magnitude < 0.05)
    let decision = try #require(plain.decisions.first { $0.code == .loudness })
    #expect(decision.why.contains("the file states no loudness for headphones"))

    let own = try film(stating: [0xC0, 0, 0xEE, 0x9F, 0xFE, 0x11])
    let report = try await render(own.path, .headphones) {
      $0.rendition.level?.mode = .metadata
      $0.rendition.level?.peakPolicy = .ignore
    }
    #expect(report.loudness?.gainDB == 1.37890625)
    let stated = try #require(report.loudness?.stated)
    #expect(stated.layout == "binaural" && !stated.comparable && stated.measured != nil)
    #expect(!report.degradations.contains { $0.code == .loudnessInfoWrong })
  }

  /// Placeholders and what can't be right are neither followed nor compared.
  @Test(
    "placeholders for loudness in IAMF are ignored",
    arguments: [
      ([0xA4, 0, 0, 0, 0, 0] as [UInt8], "placeholder"),
      ([0xA4, 0, 0x01, 0, 0xFE, 0x11], "can't be right"),
      ([0xA4, 0, 0xB0, 0, 0xFE, 0x11], "can't be right"),
    ])
  func doubtfulFiguresArentUsed(bytes: [UInt8], reason: String) async throws {
    let made = try film(stating: bytes)
    let report = try await render(made.path, .none) {
      $0.rendition.level?.mode = .metadata
    }
    #expect(report.loudness?.mode == .measured && report.loudness?.stated == nil)
    #expect((try #require(report.outputs[0].integrated) + 16).magnitude < 0.05)
    let decision = try #require(report.decisions.first { $0.code == .loudness })
    #expect(decision.why.contains(reason) && decision.why.contains("7.1.4"), "\(decision)")
    #expect(!report.degradations.contains { $0.code == .loudnessInfoWrong })
  }
}
