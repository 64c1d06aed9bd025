// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The equations of a programme's own mix as ETSI TS 102 366 and TS 103 190-1 print them.
@Suite struct ProgrammeDownmixTests {
  private let c = 0.6
  private let s = 0.3
  private let r = 0.5.squareRoot()

  private func gains(
    _ source: String, _ form: ProgrammeDownmix.Form, to target: String = "stereo",
    lfe: Double? = nil, scale: Double = 1, adds: Bool? = nil
  ) throws -> [[Double]]? {
    let mix = ProgrammeDownmix(
      form: form, center: c, surround: s, scale: scale, addsToSurrounds: adds)
    return mix.gains(
      from: try #require(ChannelLayout(name: source)),
      to: try #require(ChannelLayout(name: target)), lfeGainDB: lfe)
  }

  private func expect(
    _ found: [[Double]]?, _ wanted: [[Double]], _ place: SourceLocation = #_sourceLocation
  ) throws {
    let found = try #require(found, sourceLocation: place)
    #expect(found.map(\.count) == wanted.map(\.count), sourceLocation: place)
    for (gain, wish) in zip(found.joined(), wanted.joined()) {
      #expect((gain - wish).magnitude < 1e-12, "\(found)", sourceLocation: place)
    }
  }

  @Test(
    "5.0 in Lo/Ro, Lt/Rt and Pro Logic II has the gains of the equations",
    arguments: ["5.0", "5.0(side)"])
  func fiveChannelsInEveryForm(source: String) throws {
    try expect(gains(source, .loRo), [[1, 0, c, s, 0], [0, 1, c, 0, s]])
    try expect(gains(source, .ltRt), [[1, 0, c, -s, -s], [0, 1, c, s, s]])
    let (near, far) = (s * pow(10, 1.8 / 20), s * pow(10, -3.2 / 20))
    try expect(gains(source, .proLogicII), [[1, 0, c, -near, -far], [0, 1, c, far, near]])
  }

  @Test("LFE gain and scale reach both sides of a programme's own stereo mix")
  func bassAndCorrectionReachBothSides() throws {
    let bass = pow(10, 5.5 / 20)
    try expect(
      gains("5.1", .loRo, lfe: 5.5, scale: 2),
      [[2, 0, 2 * c, 2 * bass, 2 * s, 0], [0, 2, 2 * c, 2 * bass, 0, 2 * s]])
    try expect(
      gains("5.1(side)", .ltRt, lfe: 5.5),
      [[1, 0, c, bass, -s, -s], [0, 1, c, bass, s, s]])
    try expect(gains("5.1", .loRo), [[1, 0, c, 0, s, 0], [0, 1, c, 0, 0, s]])
  }

  /// 3/4/0: Ls' = 0.707 (Ls + Lb); back channels lie before side channels here.
  @Test("back and side channels of 7.x are each mixed at 0.707 of the surround gain")
  func sevenChannelsAreFoldedIntoFive() throws {
    let half = r * s
    try expect(
      gains("7.1", .loRo),
      [[1, 0, c, 0, half, 0, half, 0], [0, 1, c, 0, 0, half, 0, half]])
    try expect(
      gains("7.0", .ltRt),
      [[1, 0, c, -half, -half, -half, -half], [0, 1, c, half, half, half, half]])
  }

  /// 5/2/0 and 3/2/2: the pair goes to the surrounds, or to left and right.
  @Test(
    "an added pair goes to the surrounds or the fronts as the programme says, and has no gains otherwise",
    arguments: ["FL+FR+FC+SL+SR+WL+WR", "FL+FR+FC+SL+SR+TFL+TFR"])
  func anAddedPairGoesWhereTheProgrammeSays(source: String) throws {
    let half = r * s
    try expect(
      gains(source, .loRo, adds: true),
      [[1, 0, c, half, 0, half, 0], [0, 1, c, 0, half, 0, half]])
    try expect(
      gains(source, .loRo, adds: false), [[1, 0, c, s, 0, r, 0], [0, 1, c, 0, s, 0, r]])
    #expect(try gains(source, .loRo) == nil)
  }

  @Test("3.0, 3.1, quad, 4.0 and 3.0(back) have the gains of the equations")
  func threeFrontsAndASingleSurround() throws {
    try expect(gains("3.0", .loRo), [[1, 0, c], [0, 1, c]])
    try expect(gains("3.1", .ltRt), [[1, 0, c, 0], [0, 1, c, 0]])
    try expect(gains("quad", .loRo), [[1, 0, s, 0], [0, 1, 0, s]])
    try expect(gains("4.0", .loRo), [[1, 0, c, r * s], [0, 1, c, r * s]])
    for form in [ProgrammeDownmix.Form.ltRt, .proLogicII] {
      try expect(gains("4.0", form), [[1, 0, c, -s], [0, 1, c, s]])
      try expect(gains("3.0(back)", form), [[1, 0, -s], [0, 1, s]])
    }
  }

  /// Left + right of Lo/Ro, whatever form stereo would have.
  @Test("mono of any form is left plus right of Lo/Ro", arguments: ProgrammeDownmix.Form.allCases)
  func monoIsLeftAndRightOfLoRo(form: ProgrammeDownmix.Form) throws {
    try expect(gains("5.0", form, to: "mono", scale: 0.5), [[0.5, 0.5, c, s / 2, s / 2]])
  }

  @Test("a layout without an equation is not covered") func whatHasNoEquationIsNotCovered() throws {
    for source in [
      "mono", "stereo", "2.1", "FC+LFE", "6.1", "6.1(back)", "hexagonal", "6.0(front)",
      "7.1(wide)", "5.1.4", "7.1.2", "7.1.4", "22.2", "FC+SL+SR",
    ] {
      #expect(try gains(source, .loRo, adds: true) == nil, "\(source)")
    }
    for target in ["3.0", "5.0", "quad", "2.1"] {
      #expect(try gains("7.1", .loRo, to: target) == nil, "\(target)")
    }
    let options = DownmixOptions(programme: ProgrammeDownmix(form: .loRo, center: c, surround: s))
    let error = #expect(throws: MediaError.self) {
      try DownmixMatrix(
        from: #require(ChannelLayout(name: "7.1.4")), to: .stereo, options: options)
    }
    #expect(error?.kind == .usage)
  }

  @Test("the downmixer applies the programme's gains") func theDownmixerAppliesThem() throws {
    let layout = try #require(ChannelLayout(name: "5.1"))
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    var noise = SeededNoise(seed: 8)
    let signal = (0..<6).map { _ in noise.samples(3000) }
    let options = DownmixOptions(
      lfeGainDB: -3, programme: ProgrammeDownmix(form: .proLogicII, center: c, surround: s))
    let stage = Downmixer(options: options)
    let output = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    let rows = try #require(stage.matrix).gains
    #expect(rows == (try gains("5.1", .proLogicII, lfe: -3)))
    for (plane, row) in zip(output, rows) {
      let exact = (0..<3000).map { frame in
        (0..<6).reduce(0) { $0 + row[$1] * Double(signal[$1][frame]) }
      }
      #expect(Render.difference(plane.map(Double.init), exact) <= -135)
    }
    let difference = try StageVerifier.firstDifference(
      format: format, signal: signal, make: { Downmixer(options: options) })
    #expect(difference == nil)
  }
}
