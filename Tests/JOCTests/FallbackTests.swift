// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal
import TestSupport
import Testing

@testable import JOC

/// The downmix stands in where objects are missing.
@Suite(.tags(.media), .enabled(if: JOCOracle.isPresent, "../shared is missing"))
struct FallbackTests {
  private let layout = ChannelLayout(name: "5.1(side)") ?? .stereo

  /// Behind half a second without payloads, the downmix is heard as it is; with the payloads, objects return.
  /// Sums of neighbouring samples show no step.
  @Test("the downmix is heard where 30 units are missing, and the objects return after them")
  func theDownmixIsHeardWhereUnitsAreMissing() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let units = try JOCOracle.frames("sample")
    let whole = try DecodedProgramme(units, core, fallback: layout)
    var damaged = units
    for index in 10..<40 { damaged[index] = [] }
    let found = try DecodedProgramme(damaged, core, fallback: layout)
    #expect(found.block.frames == 64 * 1536)
    // The seventeenth unit without payloads is number 26; what is written then begins 2113 samples before it.
    let begin = 26 * 1536 - 2113
    let alone = begin + 1536..<40 * 1536 - 2113
    for plane in 0..<6 {
      let isSame = Array(found.plane(plane)[alone]) == Array(core[plane][alone])
      #expect(isSame, "channel \(plane)")
    }
    for plane in 6..<16 {
      #expect(found.plane(plane)[alone].allSatisfy { $0 == 0 }, "object \(plane - 6)")
    }
    let later = 44 * 1536..<64 * 1536
    for plane in 0..<16 {
      let isSame = Array(found.plane(plane)[later]) == Array(whole.plane(plane)[later])
      #expect(isSame, "plane \(plane)")
    }
    // In the middle of the fade, each side has half of its amplitude.
    let middle = begin + 767
    let objects = try DecodedProgramme(damaged, core)
    for plane in [0, 2, 8, 14] {
      let bed = plane < 6 ? core[plane][middle] : 0
      let wanted = (objects.plane(plane)[middle] + bed) / 2
      #expect(abs(found.plane(plane)[middle] - wanted) < 1e-6, "plane \(plane)")
    }
  }

  /// A stream that begins without payloads begins with its downmix.
  @Test("a stream whose first eight units lack payloads begins with its downmix")
  func theDownmixIsHeardBeforeTheFirstPayload() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let units = try JOCOracle.frames("sample")
    var late = units
    for index in 0..<8 { late[index] = [] }
    let found = try DecodedProgramme(late, core, survey: units, fallback: layout)
    let before = 0..<8 * 1536 - 2113
    let isSame = Array(found.plane(2)[before]) == Array(core[2][before])
    #expect(isSame)
    #expect(found.plane(9)[before].allSatisfy { $0 == 0 })
    #expect(found.plane(9)[12 * 1536..<20 * 1536].contains { abs($0) > 0.1 })
  }

  /// Other programmes of a stream get the same planes, where these suffice.
  @Test("a second programme of six objects is heard in the planes of the first")
  func anotherProgrammeTakesOver() throws {
    let sample = try JOCOracle.frames("sample")
    let moving = try JOCOracle.frames("made.moving").prefix(30)
    let core = try zip(
      JOCOracle.planes("sample.core.24bit.flac", channels: 6),
      JOCOracle.decoded("made.moving")
    ).map { Array($0.prefix(30 * 1536)) + Array($1.prefix(30 * 1536)) }
    let found = try DecodedProgramme(
      Array(sample.prefix(30) + moving), core, fallback: layout)
    #expect(found.decoder.findings.programmes == 1)
    #expect(found.programme.elements.count == 11)
    let alone = try DecodedProgramme(
      Array(moving), core.map { Array($0[(30 * 1536)...]) }, fallback: layout)
    // Both have a bed of 5.1; the LFE and six objects follow one another in the planes of the ten.
    let range = 10 * 1536..<28 * 1536
    for plane in [3, 6, 8, 11] {
      let own = found.plane(plane)[30 * 1536 + range.lowerBound..<30 * 1536 + range.upperBound]
      let ratio = Signals.ratio(Array(own), Array(alone.plane(plane)[range]))
      #expect(ratio > 80, "plane \(plane): \(ratio) dB")
    }
    for plane in 12..<16 {
      let own = found.plane(plane)[40 * 1536..<58 * 1536]
      #expect(own.allSatisfy { $0 == 0 }, "object \(plane - 6) is none of this programme")
    }
    for object in 0..<6 {
      let time = Int64(50 * 1536 + 256)
      let own = found.block.motion(of: 6 + object, at: time)?.state.position
      #expect(own == alone.block.motion(of: 6 + object, at: time - 30 * 1536)?.state.position)
    }
  }

  /// A programme that has more objects than the first one stays with its downmix.
  @Test("a programme of more objects than the first is heard as its downmix")
  func aProgrammeWithoutRoomIsHeardAsItsDownmix() throws {
    let moving = try JOCOracle.frames("made.moving").prefix(20)
    let sample = try JOCOracle.frames("sample").prefix(20)
    let core = try zip(
      JOCOracle.decoded("made.moving"),
      JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    ).map { Array($0.prefix(20 * 1536)) + Array($1.prefix(20 * 1536)) }
    let found = try DecodedProgramme(Array(moving + sample), core, fallback: layout)
    #expect(found.decoder.findings.programmes == 0)
    let range = 24 * 1536..<40 * 1536
    for plane in 0..<6 {
      let isSame = Array(found.plane(plane)[range]) == Array(core[plane][range])
      #expect(isSame, "channel \(plane)")
    }
  }

  /// Samples that belong to no unit pass as they are, and the programme goes on behind them.
  @Test("777 samples without a unit pass as they are, and the programme goes on after them")
  func strangeSamplesPassAsTheyAre() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let units = try JOCOracle.frames("sample")
    let found = try DecodedProgramme(units, core, fallback: layout, pass: (at: 20, count: 777))
    #expect(found.block.frames == 64 * 1536 + 777)
    for plane in 0..<6 {
      let own = found.plane(plane)[20 * 1536..<20 * 1536 + 777]
      let isSame = Array(own) == Array(core[plane].prefix(777))
      #expect(isSame, "channel \(plane)")
    }
    let whole = try DecodedProgramme(units, core, fallback: layout)
    for plane in [0, 2, 11] {
      // The last ten slots of coefficients and the reach of the bank lie behind the cut.
      let before = 0..<20 * 1536 - 1300
      let isSame = Array(found.plane(plane)[before]) == Array(whole.plane(plane)[before])
      #expect(isSame, "plane \(plane)")
      let later = 24 * 1536..<63 * 1536
      let ratio = Signals.ratio(
        Array(found.plane(plane)[later.lowerBound + 777..<later.upperBound + 777]),
        Array(whole.plane(plane)[later]))
      #expect(ratio > 100, "plane \(plane): \(ratio) dB")
    }
  }
}
