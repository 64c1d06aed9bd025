// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AC4
@testable import AC4References

/// Statements of a stream about its mix to two channels.
@Suite struct DownmixTests {
  /// TS 103 190-1, 4.3.12.2.7 and following: decibels by code; `nil` is off.
  @Test("each downmix code stands for the decibels of the table") func codesAreTheirDecibels() {
    let centre: [Double?] = [3, 1.5, 0, -1.5, -3, -4.5, -6, nil]
    let surround: [Double?] = [-3, -3, 0, -1.5, -3, -4.5, -6, nil]
    for code in 0..<8 {
      let wanted = (
        centre[code].map { pow(10, $0 / 20) } ?? 0, surround[code].map { pow(10, $0 / 20) } ?? 0
      )
      #expect((AC4DownmixGains.centreGain(code) - wanted.0).magnitude < 1e-12)
      #expect((AC4DownmixGains.surroundGain(code) - wanted.1).magnitude < 1e-12)
    }
    let standard = pow(10, -0.15)
    #expect((AC4DownmixGains.centreGain(nil) - standard).magnitude < 1e-12)
    #expect((AC4DownmixGains.surroundGain(nil) - standard).magnitude < 1e-12)
  }

  /// 2^((15 − code) / 2 / 6), 31 for none.
  @Test("downmix corrections are 2^((15 − code) / 12), and 31 is none")
  func correctionsAreHalfDecibels() {
    for (code, wanted) in [(15, 1.0), (3, 2), (27, 0.5), (9, 2.0.squareRoot()), (31, 1)] {
      #expect((AC4DownmixGains.correction(code) - wanted).magnitude < 1e-12, "\(code)")
    }
    #expect(AC4DownmixGains.correction(nil) == 1)
    #expect(AC4DownmixGains.correction(0) > AC4DownmixGains.correction(1))
  }

  @Test("downmix gains are read from the presentation", arguments: 2...10)
  func thePresentationSaysIt(number: Int) throws {
    let mode = try #require(AC4ChannelMode(rawValue: number))
    var stream = try DescribedStream(mode, seed: 3)
    let raw = try stream.next(
      .init(
        loRo: (5, 6), ltRt: (3, 2), lfe: 11, method: 3, loRoCorrection: 14, ltRtCorrection: 30),
      addsToSurrounds: true)
    var inspector = AC4Inspector()
    let facts = try inspector.inspect(rawFrame: raw)
    let metadata = try #require(facts.presentations.first?.metadata)
    #expect(metadata.dialnorm == -23 && metadata.hasGoodDRCSize)
    #expect(metadata.loRoCorrection == 14 && metadata.ltRtCorrection == 30)
    #expect(facts.toc.groups[0].substreams[0].addsToSurrounds == (number >= 7))
    guard number >= 3 else {
      #expect(metadata.downmix == nil)
      return
    }
    let gains = try #require(metadata.downmix)
    #expect((gains.loRoCentre, gains.loRoSurround) == (5, 6))
    #expect((gains.ltRtCentre, gains.ltRtSurround) == (3, 2))
    #expect(gains.method == 3 && gains.lfe == (mode.hasLFE ? 11 : nil))
    #expect(gains.lfeLevel == (mode.hasLFE ? -5.5 : nil))
  }

  /// In old substreams corrections stand between the gains.
  @Test("downmix gains are read from an old substream") func oldSubstreamsSayItThemselves() throws {
    var writer = BitWriter()
    writer.write(0b010_011, 6)
    writer.write(optional: 12, 5)
    writer.write(0, 1)
    writer.write(optional: 18, 5)
    writer.write(optional: 0, 5)
    writer.write(2, 2)
    writer.align()
    let gains = try writer.bytes.withUnsafeBufferPointer { buffer in
      var bits = BitReader(buffer)
      return try AC4DownmixGains(&bits, hasLFE: true, hasCorrections: true)
    }
    #expect((gains.loRoCentre, gains.loRoSurround, gains.method) == (2, 3, 2))
    #expect(gains.loRoCorrection == 12 && gains.ltRtCorrection == 18)
    #expect(gains.ltRtCentre == nil && gains.lfeLevel == 5.5)
  }

  /// Streams that other tests render. The last one changes its gains.
  static func streams() throws -> [String: [[UInt8]]] {
    let surround = try #require(AC4ChannelMode(rawValue: 4))
    let wide = try #require(AC4ChannelMode(rawValue: 8))
    let matrixed = DescribedStream.Downmix(
      loRo: (5, 6), ltRt: (3, 5), lfe: 10, method: 2, loRoCorrection: 9, ltRtCorrection: 21)
    let plain = DescribedStream.Downmix(loRo: (6, 7))
    var all: [String: [[UInt8]]] = [:]
    var one = try DescribedStream(surround, seed: 31)
    all["downmix-matrixed"] = try (0..<4).map { _ in try one.next(matrixed) }
    var two = try DescribedStream(wide, seed: 32)
    all["downmix-wide"] = try (0..<3).map { _ in
      try two.next(plain, addsToSurrounds: true)
    }
    var three = try DescribedStream(surround, seed: 33)
    all["downmix-changing"] = try [plain, nil, matrixed, plain].map { try three.next($0) }
    return all
  }
}
