// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import TestSupport
import Testing

@testable import Rendering

/// Beds in layouts with more loudspeakers, for which no downmix is (ITU-R BS.2127-1, 8).
@Suite(.tags(.system)) struct LargerLayoutTests {
  /// A bed, and a layout in which some loudspeakers get nothing of it by a downmix.
  struct Case: Sendable, CustomTestStringConvertible {
    let bed: String
    let channels: Int
    let mask: UInt32
    let layout: String
    /// The layout's name in ITU-R BS.2051.
    let system: String
    /// Channels that stay silent.
    let silent: Set<String>
    var testDescription: String { "\(bed) to \(layout)" }
  }

  static let cases = [
    Case(
      bed: "mono", channels: 1, mask: 0x4, layout: "5.1", system: "0+5+0",
      silent: ["FL", "FR", "LFE", "BL", "BR"]),
    Case(
      bed: "stereo", channels: 2, mask: 0x3, layout: "5.1", system: "0+5+0",
      silent: ["FC", "LFE", "BL", "BR"]),
    Case(
      bed: "5.1", channels: 6, mask: 0x60F, layout: "7.1", system: "0+7+0", silent: ["SL", "SR"]),
    Case(
      bed: "5.1", channels: 6, mask: 0x60F, layout: "7.1.4", system: "4+7+0",
      silent: ["SL", "SR", "TFL", "TFR", "TBL", "TBR"]),
    Case(
      bed: "5.1", channels: 6, mask: 0x60F, layout: "5.1.4", system: "4+5+0",
      silent: ["TFL", "TFR", "TBL", "TBR"]),
    Case(
      bed: "7.1", channels: 8, mask: 0x63F, layout: "5.1.4", system: "4+5+0",
      silent: ["TFL", "TFR", "TBL", "TBR"]),
    Case(
      bed: "7.1", channels: 8, mask: 0x63F, layout: "7.1.4", system: "4+7+0",
      silent: ["TFL", "TFR", "TBL", "TBR"]),
    Case(
      bed: "5.1.2", channels: 8, mask: 0x560F, layout: "7.1.4", system: "4+7+0",
      silent: ["SL", "SR", "TBL", "TBR"]),
    Case(
      bed: "7.1.4", channels: 12, mask: 0x2_D63F, layout: "22.2", system: "9+10+3",
      silent: ["FL", "FR", "BC", "LFE2", "TFC", "TC", "TSL", "TSR", "TBC", "BFC", "BFL", "BFR"]),
  ]

  /// Channels of each system in its order, by the short names of Pinna's layouts.
  private static let order = [
    "0+5+0": "FL FR FC LFE BL BR", "0+7+0": "FL FR FC LFE SL SR BL BR",
    "4+5+0": "FL FR FC LFE SL SR TFL TFR TBL TBR",
    "4+7+0": "FL FR FC LFE SL SR BL BR TFL TFR TBL TBR",
    "9+10+3":
      "FL FR FC LFE BL BR FLC FRC BC LFE2 SL SR TFL TFR TFC TC TBL TBR TSL TSR TBC BFC BFL BFR",
  ]

  /// The output of `bed` in `form`, and its report.
  private func rendered(
    _ test: Case, _ form: RenderJob.Form, to layout: String?
  ) async throws -> (case: RenderCase, report: RenderReport) {
    var render = try RenderCase(
      TestProgramme.wav(channels: test.channels, seconds: 1, mask: test.mask))
    render.job.outputs[0].endpoint = .none
    render.job.form = form
    render.job.layout = layout.flatMap { ChannelLayout(name: $0) }
    render.job.loudness = nil
    return (render, try await render.run())
  }

  @Test(
    "a bed is rendered to more loudspeakers as the EBU ADM Renderer renders it, within −100 dB",
    .fullRunOnly,
    .enabled(if: TestPython.hasRenderer, "make setup-test installs the EBU ADM Renderer"),
    arguments: cases)
  func equalsTheReferenceRenderer(test: Case) async throws {
    let kept = try await rendered(test, .bw64, to: nil)
    let reference = kept.case.folder.file("ear.wav")
    let tool = try Tool.run(
      TestPython.renderer,
      ["-m", "ear.cmdline.render_file", "-s", test.system, kept.case.outputPath, reference])
    try #require(tool.status == 0, "\(tool.errors)")
    let expected = try Decoded(reference).planes
    let own = try await rendered(test, .wav, to: test.layout)
    let output = try own.case.decoded().planes
    let names = try #require(ChannelLayout(name: test.layout)).speakers.map(\.name)
    let order = try #require(Self.order[test.system]).split(separator: " ").map(String.init)
    try #require(Set(names) == Set(order))
    for (channel, name) in names.enumerated() {
      let other = expected[try #require(order.firstIndex(of: name))]
      try #require(output[channel].count == other.count)
      let error = zip(output[channel], other).reduce(Float(0)) { max($0, ($1.0 - $1.1).magnitude) }
      #expect(error < 1e-5, "\(name): \(error)")
    }
  }

  @Test("the report has the gains, and the channels that stay silent", arguments: cases)
  func isReported(test: Case) async throws {
    let (render, report) = try await rendered(test, .wav, to: test.layout)
    let mix = try #require(report.outputs[0].render?.downmix)
    #expect(mix.method == "DirectSpeakers")
    #expect(mix.source == "ITU-R BS.2127")
    let quiet = zip(mix.outputs, mix.gains).filter { $0.1.allSatisfy { $0 == 0 } }.map(\.0)
    #expect(Set(quiet) == test.silent)
    let said = try #require(report.decisions.last { $0.code == .downmix })
    #expect(said.chose == "DirectSpeakers")
    #expect(test.silent.allSatisfy { said.why.contains($0) }, "\(said.why)")
    // The samples are the gains' own.
    let source = try Decoded(render.folder.file("in.wav")).planes
    for (plane, row) in zip(try render.decoded().planes, mix.gains) {
      for frame in stride(from: 0, to: plane.count, by: 997) {
        let sum = row.indices.reduce(0.0) { $0 + row[$1] * Double(source[$1][frame]) }
        #expect((Double(plane[frame]) - sum).magnitude < 1e-6)
      }
    }
  }

  @Test("a layout that ITU-R BS.2051 doesn't have is refused with those that it has")
  func otherLayoutsAreRefused() async throws {
    let test = Case(
      bed: "stereo", channels: 2, mask: 0x3, layout: "6.1", system: "", silent: [])
    let failure = await #expect(throws: RenderFailure.self) {
      try await rendered(test, .wav, to: "6.1")
    }
    let error = failure?.error
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("7.1.4") == true, "\(error?.message ?? "")")
  }
}
