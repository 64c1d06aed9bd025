// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct DownmixerTests {
  private let third = 0.5.squareRoot()

  private func layout(_ name: String) throws -> ChannelLayout {
    try #require(ChannelLayout(name: name))
  }

  private func matrix(
    _ source: String, _ target: String, lfe: Double? = nil
  ) throws -> DownmixMatrix {
    try DownmixMatrix(
      from: layout(source), to: layout(target), options: DownmixOptions(lfeGainDB: lfe))
  }

  private func expect(_ matrix: DownmixMatrix, _ gains: [[Double]]) {
    #expect(matrix.gains.count == gains.count)
    for (row, wanted) in zip(matrix.gains, gains) {
      #expect(row.count == wanted.count)
      for (gain, wish) in zip(row, wanted) {
        #expect((gain - wish).magnitude < 1e-12, "\(matrix.inputs) \(matrix.gains)")
      }
    }
  }

  /// ITU-R BS.775-3, Annex 4, Table 2, for 3/2 programmes.
  @Test("downmix gains of 5.0 are those of ITU-R BS.775-3, Annex 4, Table 2")
  func fiveChannelsFollowTheTable() throws {
    let r = third
    for source in ["5.0", "5.0(side)"] {
      expect(try matrix(source, "mono"), [[r, r, 1, 0.5, 0.5]])
      expect(try matrix(source, "stereo"), [[1, 0, r, r, 0], [0, 1, r, 0, r]])
      expect(
        try matrix(source, "3.0"), [[1, 0, 0, r, 0], [0, 1, 0, 0, r], [0, 0, 1, 0, 0]])
      expect(
        try matrix(source, "3.0(back)"), [[1, 0, r, 0, 0], [0, 1, r, 0, 0], [0, 0, 0, r, r]])
      expect(
        try matrix(source, "4.0"),
        [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, r, r]])
      for target in ["quad", "quad(side)"] {
        expect(
          try matrix(source, target),
          [[1, 0, r, 0, 0], [0, 1, r, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])
      }
    }
  }

  @Test("7.1, 5.1.4, 9.1.6(wide) and 22.2 are mixed down by the gains of the mapping")
  func largerLayoutsFollowTheMapping() throws {
    let r = third
    expect(
      try matrix("7.1", "stereo"), [[1, 0, r, 0, r, 0, r, 0], [0, 1, r, 0, 0, r, 0, r]])
    expect(
      try matrix("5.1.4", "stereo"),
      [[1, 0, r, 0, r, 0, 1, 0, r, 0], [0, 1, r, 0, 0, r, 0, 1, 0, r]])
    let five = try matrix("7.1", "5.1")
    #expect(five.gains[3] == [0, 0, 0, 1, 0, 0, 0, 0])
    #expect(five.gains[4] == [0, 0, 0, 0, 1, 0, r, 0])
    #expect(five.gains[0] == [1, 0, 0, 0, 0, 0, r, 0])
    let wide = try matrix("9.1.6(wide)", "7.1.4")
    let left = try #require(wide.inputs.firstIndex(of: "WL"))
    #expect(wide.gains[0][left] == r && wide.gains[6][left] == r)
    let top = try #require(wide.inputs.firstIndex(of: "TSL"))
    #expect(wide.gains[8][top] == r && wide.gains[10][top] == r)
    let cinema = try matrix("22.2", "stereo")
    for (name, gain) in [
      ("FL", 1), ("FLC", 1), ("FC", r), ("SL", r), ("BL", r), ("BC", 0.5), ("TC", 0.5),
      ("TFL", 1), ("TFC", r), ("TBC", 0.5), ("TSL", r), ("BFC", r), ("BFL", 1), ("LFE", 0),
      ("FR", 0), ("TBR", 0),
    ] {
      let input = try #require(cinema.inputs.firstIndex(of: name))
      #expect((cinema.gains[0][input] - gain).magnitude < 1e-12, "\(name)")
    }
  }

  /// The upper side channels go to what the target has nearest to them, half the power to each of two.
  @Test(
    "an upper side channel of 9.1.6 has the rule's powers in the nearest loudspeakers of each layout",
    arguments: [
      ("7.1.4", ["TFL": 0.5, "TBL": 0.5]), ("5.1.4", ["TFL": 0.5, "TBL": 0.5]), ("7.1", ["SL": 1]),
      ("5.1.2", ["TFL": 0.5, "SL": 0.5]), ("5.1.2(back)", ["TFL": 0.5, "BL": 0.5]),
      ("5.1", ["FL": 0.5, "BL": 0.5]), ("quad(side)", ["FL": 0.5, "SL": 0.5]), ("3.0", ["FL": 0.5]),
      ("stereo", ["FL": 0.5]),
    ])
  func upperSidesGoToTheNearest(target: String, powers: [String: Double]) throws {
    let mix = try matrix("9.1.6", target)
    let input = try #require(mix.inputs.firstIndex(of: "TSL"))
    for (speaker, row) in zip(try layout(target).speakers, mix.gains) {
      let power = row[input] * row[input]
      #expect((power - (powers[speaker.name] ?? 0)).magnitude < 1e-12, "\(speaker.name)")
    }
  }

  /// From 22.2, a third of a side channel's power goes to the front and the rest to the surround channel.
  @Test(
    "a side channel of 22.2 in 5.1 has a third of its power in front and two thirds in the surround"
  )
  func theSidesOf22Point2LeanToTheBack() throws {
    let surround = try matrix("22.2", "5.1")
    let input = try #require(surround.inputs.firstIndex(of: "SL"))
    let gains = surround.gains.map { $0[input] }
    #expect((gains[0] - (1.0 / 3).squareRoot()).magnitude < 1e-9)
    #expect((gains[4] - (2.0 / 3).squareRoot()).magnitude < 1e-9)
    #expect(gains.filter { $0 != 0 }.count == 2)
  }

  @Test(
    "a downmix drops LFE unless a gain is given, and both LFEs of 22.2 join in 5.1 at 0.707 each")
  func bassIsDroppedUnlessWished() throws {
    #expect(try matrix("5.1", "stereo").gains.allSatisfy { $0[3] == 0 })
    let loud = try matrix("5.1", "stereo", lfe: 6)
    #expect(loud.gains.allSatisfy { ($0[3] - pow(10, 0.3)).magnitude < 1e-12 })
    #expect(try matrix("5.1", "mono", lfe: 0).gains[0][3] == 1)
    let joined = try matrix("22.2", "5.1")
    #expect(joined.gains[3].filter { $0 != 0 } == [third, third])
    // A single one keeps its level, whichever of the two it is.
    let other = ChannelLayout([
      .frontLeft, .frontRight, .frontCenter, .lowFrequency2, .backLeft, .backRight,
    ])
    let moved = try DownmixMatrix(from: other, to: layout("5.1"), options: DownmixOptions())
    #expect(moved.gains[3].filter { $0 != 0 } == [1])
  }

  @Test("each known layout is mixed down to stereo with mirrored gains and powers of 0.5…1")
  func everyLayoutOfTheCatalogComesDownToStereoAndMono() throws {
    for name in ChannelLayout.knownNames {
      let source = try layout(name)
      let stereo = try matrix(name, "stereo")
      #expect(try matrix(name, "mono").gains.count == 1)
      #expect(stereo.worstCaseGainDB <= 25)
      for (index, speaker) in source.speakers.enumerated() {
        let power = stereo.gains.reduce(0) { $0 + $1[index] * $1[index] }
        #expect(speaker.isLFE ? power == 0 : (0.499...1.001).contains(power), "\(name) \(speaker)")
        let mirror = source.direction(at: index)
        guard
          let other = source.speakers.indices.first(where: {
            source.direction(at: $0).azimuth == -mirror.azimuth
              && source.direction(at: $0).elevation == mirror.elevation
              && source.speakers[$0].isLFE == speaker.isLFE && $0 != index
          })
        else { continue }
        #expect(stereo.gains[0][index] == stereo.gains[1][other])
      }
    }
  }

  @Test("a downmix without a rule is refused") func whatCannotBeDerivedIsRefused() throws {
    for (source, target) in [
      ("stereo", "5.1"), ("mono", "3.0"), ("quad", "5.0"), ("5.0", "5.1"), ("5.1", "7.1"),
      ("stereo", "2.1"), ("5.1", "5.1.2"), ("stereo", "BL+BR"),
    ] {
      let error = #expect(throws: MediaError.self) { try matrix(source, target) }
      #expect(error?.kind == .usage)
      #expect(error?.message.contains(source) == true, "\(error?.message ?? "")")
    }
    #expect(throws: MediaError.self) { try matrix("5.1", "stereo", lfe: .nan) }
    expect(try matrix("mono", "stereo"), [[third], [third]])
  }

  @Test(
    "a downmix to the same layout keeps each bit",
    arguments: [("stereo", "stereo"), ("5.1", "5.1(side)"), ("22.2", "22.2")])
  func theSamePlacesKeepEveryBit(names: (String, String)) throws {
    let format = AudioFormat(sampleRate: 48000, layout: try layout(names.0))
    var source = SeededNoise(seed: 3)
    let signal = (0..<format.channels).map { _ in source.samples(5000) }
    let stage = Downmixer(to: try layout(names.1))
    let output = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    #expect(output == signal)
    #expect(stage.latency == 0)
  }

  @Test(
    "the downmixer equals its matrix within −135 dB and has the same bits for any blocks",
    arguments: [("5.1", "stereo"), ("22.2", "stereo"), ("7.1.4", "5.1"), ("stereo", "mono")])
  func matchesTheMatrixInDoublePrecisionForAnyBlock(names: (String, String)) throws {
    let format = AudioFormat(sampleRate: 48000, layout: try layout(names.0))
    let target = try layout(names.1)
    var source = SeededNoise(seed: 5)
    let signal = (0..<format.channels).map { _ in source.samples(5000) }
    let stage = Downmixer(to: target)
    let output = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    let matrix = try #require(stage.matrix)
    for (plane, row) in zip(output, matrix.gains) {
      let exact = (0..<5000).map { frame in
        row.indices.reduce(0) { $0 + row[$1] * Double(signal[$1][frame]) }
      }
      #expect(plane.count == exact.count)
      let error = Render.difference(plane.map(Double.init), exact)
      #expect(error <= -135, "\(names): \(error) dB")
    }
    let difference = try StageVerifier.firstDifference(
      format: format, signal: signal, make: { Downmixer(to: target) })
    #expect(difference == nil)
  }
}
