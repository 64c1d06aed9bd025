// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import Report
import TestSupport
import Testing

/// Downmixes with the gains that a programme carries.
@Suite(.tags(.system), .fullRunOnly) struct DownmixGainsTests {
  private static let seeds = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz/Seeds/AC4")

  /// Two seconds of 5.1 whose channels differ, encoded with these options.
  private func encoded(_ codec: String, _ options: [String]) throws -> RenderCase {
    let made = try RenderCase(TestProgramme.wav(channels: 6, seconds: 2, mask: 0x60F))
    try FixtureStore.ffmpeg(
      ["-i", made.folder.file("in.wav"), "-c:a", codec, "-b:a", "640k"] + options
        + [made.folder.file("in." + codec)])
    return try RenderCase(Data(contentsOf: made.folder.url("in." + codec)), name: "in." + codec)
  }

  private func stored(_ name: String) throws -> RenderCase {
    try RenderCase(path: DownmixGainsTests.seeds.appendingPathComponent(name + ".ac4").path)
  }

  private func render(
    _ test: RenderCase, to layout: ChannelLayout?, _ gains: DownmixGains,
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (report: RenderReport, planes: [[Float]]) {
    var test = test
    test.job.outputs[0].endpoint = .none
    test.job.layout = layout
    test.job.rendition.downmix = gains
    test.job.loudness = nil
    test.job.encoding = .float32
    test.job.policy.overwrite = true
    change(&test.job)
    let report = try await test.run()
    return (report, try test.decoded().planes)
  }

  /// Largest difference between a mix and the channels of `source` mixed with `rows`.
  private func error(_ mix: [[Float]], _ source: [[Float]], _ rows: [[Double]]) -> Double {
    guard mix.count == rows.count, let length = source.first?.count,
      mix.allSatisfy({ $0.count == length }), rows.allSatisfy({ $0.count == source.count })
    else { return .infinity }
    var worst = 0.0
    for (plane, row) in zip(mix, rows) {
      for frame in 0..<length {
        let sum = row.indices.reduce(0.0) { $0 + row[$1] * Double(source[$1][frame]) }
        worst = max(worst, (Double(plane[frame]) - sum).magnitude)
      }
    }
    return worst
  }

  @Test(
    "a stereo downmix by the stream has the stream's gains",
    arguments: [
      (
        "ac3", ["-center_mixlev", "0.5", "-surround_mixlev", "0.707"], 0.5, 0.5.squareRoot(), "bsi"
      ),
      ("ac3", ["-center_mixlev", "0.707", "-surround_mixlev", "0"], 0.5.squareRoot(), 0, "bsi"),
      (
        "ac3", ["-dmix_mode", "loro", "-loro_cmixlev", "1.189", "-loro_surmixlev", "0.595"],
        pow(2, 0.25), pow(2, -0.75), "xbsi1"
      ),
      (
        "eac3", ["-loro_cmixlev", "0.841", "-loro_surmixlev", "0.5"], pow(2, -0.25), 0.5,
        "mixmdata"
      ),
    ])
  func plainStereoHasTheProgrammesGains(
    codec: String, options: [String], c: Double, s: Double, source: String
  ) async throws {
    let test = try encoded(codec, options)
    let whole = try await render(test, to: nil, .standard)
    let mixed = try await render(test, to: .stereo, .stream)
    let rows = [[1, 0, c, 0, s, 0], [0, 1, c, 0, 0, s]]
    #expect(error(mixed.planes, whole.planes, rows) < 1e-6)
    let mix = try #require(mixed.report.render?.downmix)
    #expect(mix.method == "LoRo" && mix.source == source)
    #expect(mixed.report.degradations.map(\.code.rawValue) == ["lfe-dropped"])
    #expect(mixed.report.decisions.contains { $0.code == .downmix && $0.chose == "LoRo" })
    // libavcodec's own mix is normalised by the sum of a row's gains.
    let outside = test.folder.file("outside.f32")
    try FixtureStore.ffmpeg([
      "-drc_scale", "0", "-request_channel_layout", "stereo", "-i", test.folder.file("in." + codec),
      "-f", "f32le", outside,
    ])
    let samples = try Data(contentsOf: URL(fileURLWithPath: outside)).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    let start = Int(try #require(mixed.report.timeline).priming.samples)
    try #require(samples.count >= 2 * (start + whole.planes[0].count))
    for (side, plane) in mixed.planes.enumerated() {
      let worst = plane.indices.map { frame in
        (Double(samples[2 * (start + frame) + side]) * (1 + c + s) - Double(plane[frame])).magnitude
      }.max()
      #expect(try #require(worst) < 1e-4)
    }
  }

  @Test(
    "a stream that prefers Lt/Rt gets a matrixed downmix", arguments: ["ac3", "eac3"],
    ["ltrt", "dplii"])
  func matrixedStereoWhereItIsPreferred(codec: String, mode: String) async throws {
    let test = try encoded(
      codec,
      [
        "-dmix_mode", mode, "-ltrt_cmixlev", "0.595", "-ltrt_surmixlev", "0.841", "-loro_cmixlev",
        "1", "-loro_surmixlev", "0.5",
      ])
    let whole = try await render(test, to: nil, .standard)
    let mixed = try await render(test, to: .stereo, .stream)
    let (c, s) = (pow(2, -0.75), pow(2, -0.25))
    let (near, far) = mode == "ltrt" ? (s, s) : (s * pow(10, 0.09), s * pow(10, -0.16))
    #expect(
      error(
        mixed.planes, whole.planes, [[1, 0, c, 0, -near, -far], [0, 1, c, 0, far, near]]) < 1e-6)
    #expect(mixed.report.render?.downmix?.method == (mode == "ltrt" ? "LtRt" : "ProLogicII"))
    // Mono is the sum of left and right of Lo/Ro, even when the programme prefers Lt/Rt.
    let mono = try await render(test, to: .mono, .stream)
    #expect(error(mono.planes, whole.planes, [[1, 1, 2, 0, 0.5, 0.5]]) < 1e-6)
    #expect(mono.report.render?.downmix?.method == "LoRo")
  }

  @Test("the standard's downmix gains apply unless the stream's are asked for")
  func theStandardStaysUnlessAskedForOtherwise() async throws {
    let test = try encoded("ac3", ["-center_mixlev", "0.5", "-surround_mixlev", "0.5"])
    let whole = try await render(test, to: nil, .standard)
    let mixed = try await render(test, to: .stereo, .standard)
    let r = 0.5.squareRoot()
    #expect(error(mixed.planes, whole.planes, [[1, 0, r, 0, r, 0], [0, 1, r, 0, 0, r]]) < 1e-6)
    #expect(mixed.report.render?.downmix?.method == "standard")
    let told = mixed.report.decisions.filter { $0.code == .downmix }
    #expect(told.count == 1)
    let reason = try #require(told.first).why
    #expect(reason.contains("centre -6.02 dB") && reason.contains("rendition.downmix stream"))
    // Nothing is reported when the programme's gains equal the standard's.
    let usual = try encoded("ac3", ["-center_mixlev", "0.707", "-surround_mixlev", "0.707"])
    let quiet = try await render(usual, to: .stereo, .standard)
    #expect(!quiet.report.decisions.contains { $0.code == .downmix })
    #expect(!whole.report.decisions.contains { $0.code == .downmix })
  }

  /// Lt/Rt, LFE and correction of AC-4; the user's LFE gain wins.
  @Test func matrixedAC4HasAllItsGains() async throws {
    let test = try stored("downmix-matrixed")
    let whole = try await render(test, to: nil, .standard)
    let scale = pow(2, -0.5)
    let (c, s) = (scale * pow(10, -1.5 / 20), scale * pow(10, -4.5 / 20))
    let cases: [(policy: LFEPolicy, decibels: Double?)] = [
      (.standard, -4.5), (.gain(3), 3), (.dropped, nil),
    ]
    for (policy, decibels) in cases {
      let mixed = try await render(test, to: .stereo, .stream) { $0.lfe = policy }
      let bass = decibels.map { scale * pow(10, $0 / 20) } ?? 0
      let rows = [[scale, 0, c, bass, -s, -s], [0, scale, c, bass, s, s]]
      #expect(error(mixed.planes, whole.planes, rows) < 1e-5, "\(policy)")
      let render = try #require(mixed.report.render)
      #expect(render.lfeGainDB == decibels && render.downmix?.method == "LtRt")
      #expect(render.downmix?.source == "custom_dmx_data")
      #expect(mixed.report.degradations.isEmpty, "\(mixed.report.degradations)")
    }
    // Gains and correction of Lo/Ro; both sides hold the LFE.
    let mono = try await render(test, to: .mono, .stream)
    let loud = 2.0.squareRoot()
    let rear = loud * pow(10, -6.0 / 20)
    let (front, bass) = (2 * loud * pow(10, -4.5 / 20), 2 * loud * pow(10, -4.5 / 20))
    #expect(error(mono.planes, whole.planes, [[loud, loud, front, bass, rear, rear]]) < 1e-5)
  }

  @Test func aWidePairOfAC4GoesToTheSurrounds() async throws {
    let test = try stored("downmix-wide")
    let whole = try await render(test, to: nil, .standard)
    let mixed = try await render(test, to: .stereo, .stream)
    let c = pow(10, -6.0 / 20)
    // The surrounds have gain 0, and so has the wide pair, which is added to them.
    let rows = [[1, 0, c, 0, 0, 0, 0, 0], [0, 1, c, 0, 0, 0, 0, 0]]
    #expect(error(mixed.planes, whole.planes, rows) < 1e-5)
    #expect(mixed.report.degradations.map(\.code.rawValue) == ["lfe-dropped"])
    #expect(mixed.report.degradations.first?.message.contains("programme") == true)
  }

  @Test("a programme keeps the first downmix gains to its end") func theFirstGainsStayInForce()
    async throws
  {
    let test = try stored("downmix-changing")
    let whole = try await render(test, to: nil, .standard)
    let mixed = try await render(test, to: .stereo, .stream)
    let c = pow(10, -6.0 / 20)
    #expect(
      error(mixed.planes, whole.planes, [[1, 0, c, 0, 0, 0], [0, 1, c, 0, 0, 0]]) < 1e-5)
    let told = mixed.report.degradations.filter { $0.code == .downmixChanged }
    #expect(told.count == 1)
    #expect(try #require(told.first).message.contains("first ones"))
    let standard = try await render(test, to: .stereo, .standard)
    #expect(!standard.report.degradations.contains { $0.code == .downmixChanged })
  }

  /// A programme that begins without gains has those of the standard to its end.
  @Test func gainsThatComeLateAreTold() async throws {
    let silent = try encoded("eac3", [])
    let telling = try encoded("eac3", ["-loro_cmixlev", "0.5"])
    let bytes = try [silent, telling].map { try Data(contentsOf: $0.folder.url("in.eac3")) }
    let test = try RenderCase(bytes[0] + bytes[1], name: "in.eac3")
    let standard = try await render(test, to: .stereo, .standard)
    let stream = try await render(test, to: .stereo, .stream)
    #expect(stream.planes == standard.planes)
    let told = stream.report.degradations.filter { $0.code == .downmixChanged }
    #expect(told.count == 1)
    let message = try #require(told.first).message
    // 63 frames of 1536 samples less 256 start-up samples.
    #expect(message.contains("00:00:02.011") && message.contains("standard ones"))
    #expect(!standard.report.degradations.contains { $0.code == .downmixChanged })
  }

  /// Gains also stay in force when the programme stops sending them, and this is reported.
  @Test func gainsThatVanishAreTold() async throws {
    let telling = try encoded("eac3", ["-loro_cmixlev", "0.5"])
    let silent = try encoded("eac3", [])
    let bytes = try [telling, silent].map { try Data(contentsOf: $0.folder.url("in.eac3")) }
    let test = try RenderCase(bytes[0] + bytes[1], name: "in.eac3")
    let stream = try await render(test, to: .stereo, .stream)
    let told = stream.report.degradations.filter { $0.code == .downmixChanged }
    #expect(told.count == 1)
    let message = try #require(told.first).message
    #expect(message.contains("00:00:02.011") && message.contains("first ones"))
  }

  /// In mono the LFE is as loud as --lfe-gain says.
  @Test func theListenersLFEGainHoldsInMono() async throws {
    let test = try stored("downmix-matrixed")
    let mixed = try await render(test, to: .mono, .stream) {
      $0.lfe = LFEPolicy.gain(0)
    }
    let gains = try #require(mixed.report.render?.downmix?.gains)
    #expect((gains[0][3] - gains[0][0]).magnitude < 1e-9)
    #expect(mixed.report.render?.lfeGainDB == 0)
  }

  /// Each part of HLS between discontinuities has its own gains.
  @Test func laterPartsOfAStreamKeepTheFirstGains() async throws {
    let maker = try StreamMaker()
    for (name, level) in [("a", "0.707"), ("b", "0.5")] {
      try TestProgramme.wav(channels: 6, seconds: 4, mask: 0x60F).write(
        to: maker.folder.url(name + ".wav"))
      try maker.stream(
        name + ".m3u8", of: name + ".wav",
        codec: ["ac3", "-center_mixlev", level, "-surround_mixlev", "0.5"])
    }
    try maker.join([maker.body("a.m3u8"), maker.body("b.m3u8")], to: "both.m3u8")
    let test = try RenderCase(path: maker.folder.file("both.m3u8"))
    let mixed = try await render(test, to: .stereo, .stream)
    let gains = try #require(mixed.report.render?.downmix?.gains)
    #expect((gains[0][2] - 0.5.squareRoot()).magnitude < 1e-9 && gains[0][4] == 0.5)
    let told = mixed.report.degradations.filter { $0.code == .downmixChanged }
    #expect(told.count == 1)
    #expect(try #require(told.first).message.contains("first ones"))
    let one = try await render(
      RenderCase(path: maker.folder.file("a.m3u8")), to: .stereo, .stream)
    #expect(!one.report.degradations.contains { $0.code == .downmixChanged })
  }

  @Test("a stream without downmix gains gets the standard's") func withoutGainsTheStandardHolds()
    async throws
  {
    let plain = try encoded("eac3", [])
    let wave = try RenderCase(TestProgramme.wav(channels: 6, seconds: 1, mask: 0x60F))
    let cases: [(RenderCase, ChannelLayout?, String)] = [
      (plain, .stereo, "carries no gains"), (wave, .stereo, "carries no gains"),
      (wave, ChannelLayout(name: "3.0"), "stereo and mono only"),
    ]
    for (test, layout, word) in cases {
      let standard = try await render(test, to: layout, .standard)
      let stream = try await render(test, to: layout, .stream)
      #expect(stream.planes == standard.planes)
      #expect(stream.report.render?.downmix == standard.report.render?.downmix)
      #expect(stream.report.render?.downmix?.source == "ITU-R BS.775")
      let told = stream.report.decisions.filter { $0.code == .downmix }
      #expect(told.count == 1)
      let only = try #require(told.first)
      #expect(only.chose == "standard" && only.why.contains(word))
    }
    let kept = try await render(wave, to: nil, .stream)
    #expect(kept.report.decisions.contains { $0.code == .downmix && $0.chose == "none" })
  }

  @Test("headphones without HRTF get a downmix by the stream's gains")
  func virtualizerOffIsADownmixToo() async throws {
    let test = try encoded("ac3", ["-center_mixlev", "0.5", "-surround_mixlev", "0"])
    let mixed = try await render(test, to: nil, .stream) {
      $0.outputs[0].endpoint = .headphones
      $0.isVirtualizerOn = false
    }
    #expect(mixed.report.render?.downmix?.gains == [[1, 0, 0.5, 0, 0, 0], [0, 1, 0.5, 0, 0, 0]])
  }
}
