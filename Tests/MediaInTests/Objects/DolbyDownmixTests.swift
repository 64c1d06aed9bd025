// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import MediaIn

/// Mix levels in the headers of AC-3 and E-AC-3.
@Suite struct DolbyDownmixTests {
  /// Gains by 3-bit code as the standard prints them (ETSI TS 102 366, tables D.2 to D.6).
  private static let center = [1.414, 1.189, 1, 0.841, 0.707, 0.595, 0.5, 0]
  private static let surround = [0.841, 0.841, 0.841, 0.841, 0.707, 0.595, 0.5, 0]

  /// Bits as text; other characters are left out.
  private func header(_ bits: String) -> DolbyHeader? {
    var bytes: [UInt8] = []
    for (index, bit) in bits.filter({ "01".contains($0) }).enumerated() {
      if index & 7 == 0 { bytes.append(0) }
      if bit == "1" { bytes[index >> 3] |= 0x80 >> UInt8(index & 7) }
    }
    return DolbyHeader(bytes)
  }

  private func text(_ value: Int, _ width: Int) -> String {
    let digits = String(value, radix: 2)
    return String(repeating: "0", count: width - digits.count) + digits
  }

  private let sync = "0000101101110111"
  private let check = "0000000000000000"
  private let fill = String(repeating: "0", count: 200)

  /// E-AC-3 with 3/2.1 channels up to and including `mixmdate`.
  private func enhanced(_ mixing: String) -> DolbyHeader? {
    header(sync + "00 000 00111111111 00 11 111 1 10000 11011 0" + mixing + fill)
  }

  private func isNear(_ found: CarriedDownmix.Gains, _ center: Double, _ surround: Double) -> Bool {
    (found.center - center).magnitude < 0.0006 && (found.surround - surround).magnitude < 0.0006
      && found.correction == 1
  }

  @Test("each downmix code of E-AC-3 is read") func everyCodeOfEnhancedAC3() throws {
    for code in 0..<8 {
      let other = 7 - code
      let mix = try #require(
        enhanced(
          "1 10" + text(code, 3) + text(other, 3) + text(other, 3) + text(code, 3)
            + "1" + text(code * 4, 5))?.downmix)
      #expect(mix.source == .mixing && mix.preferred == .loRo && mix.addsToSurrounds == nil)
      #expect(
        isNear(mix.ltRt, DolbyDownmixTests.center[code], DolbyDownmixTests.surround[other]))
      #expect(
        isNear(mix.loRo, DolbyDownmixTests.center[other], DolbyDownmixTests.surround[code]))
      #expect(mix.lfeLevel == 10 - Double(code * 4))
    }
    let methods: [CarriedDownmix.Method] = [.loRo, .ltRt, .loRo, .proLogicII]
    for (code, method) in methods.enumerated() {
      let mix = enhanced("1" + text(code, 2) + "100100100100 0")?.downmix
      #expect(mix?.preferred == method && mix?.lfeLevel == nil)
    }
    #expect(try #require(enhanced("0")).downmix == nil)
  }

  @Test("each downmix code of AC-3 is read") func everyCodeOfPlainAC3() throws {
    let surrounds = [0.707, 0.5, 0, 0.5]
    for (code, center) in [0.707, 0.595, 0.5, 0.595].enumerated() {
      let start = sync + check + "00 011100 01000 000 111"
      let mix = try #require(
        header(start + text(code, 2) + text(code, 2) + "1 11011 0" + fill)?.downmix)
      #expect(mix.source == .plain && mix.preferred == .loRo && mix.lfeLevel == nil)
      #expect(isNear(mix.loRo, center, surrounds[code]) && isNear(mix.ltRt, 0.707, 0.707))
    }
  }

  /// With bitstream identification 6 (annex D), `xbsi1` follows the optional fields.
  @Test("downmix codes in the alternate syntax of AC-3 are read") func theAlternateSyntaxOfAC3()
    throws
  {
    let start =
      sync + check + "00 011100 00110 000 111 00 00 1 11011 1 10101010 1 11111111"
      + "1 11111 10 0 0"
    let mix = try #require(header(start + "1 01 000 111 110 100" + fill)?.downmix)
    #expect(mix.source == .alternate && mix.preferred == .ltRt)
    #expect(isNear(mix.ltRt, 1.414, 0) && isNear(mix.loRo, 0.5, 0.707))
    let without = try #require(header(start + "0" + fill)?.downmix)
    #expect(without.source == .plain && isNear(without.loRo, 0.707, 0.707))
  }

  @Test("stereo and mono AC-3 state no downmix", .tags(.system), .fullRunOnly)
  func stereoAndMonoSayNothing() throws {
    for codec in ["ac3", "eac3"] {
      for channels in ["1", "2"] {
        let media = try MadeMedia(
          "a." + codec, ["-ac", channels, "-c:a", codec, "-dmix_mode", "ltrt"], seconds: 1)
        let head = Array(try media.bytes().prefix(256))
        #expect(try #require(DolbyHeader(head)).downmix == nil)
      }
    }
  }

  private let levels = [
    "-ltrt_cmixlev", "1.414", "-ltrt_surmixlev", "0.595", "-loro_cmixlev", "0.841",
    "-loro_surmixlev", "0",
  ]

  @Test(
    "downmix codes written by ffmpeg are read", .tags(.system), .fullRunOnly,
    arguments: ["ac3", "eac3"]) func whatAnEncoderWrote(
      codec: String
    ) throws
  {
    for (name, method) in [("ltrt", CarriedDownmix.Method.ltRt), ("loro", .loRo)] {
      let media = try MadeMedia(
        "a." + codec, ["-ac", "6", "-c:a", codec, "-dmix_mode", name] + levels, seconds: 1)
      let mix = try #require(DolbyHeader(Array(try media.bytes().prefix(256)))?.downmix)
      #expect(mix.preferred == method && mix.lfeLevel == nil)
      #expect(isNear(mix.ltRt, 1.414, 0.595) && isNear(mix.loRo, 0.841, 0))
    }
  }

  /// A reader reports when the frames of a programme state another mix than the first one did.
  @Test(
    "a change of the stated downmix within AC-3 is reported with its sample", .tags(.system),
    .fullRunOnly)
  func aChangeIsToldWithItsPlace() throws {
    let first = try MadeMedia("a.ac3", ["-ac", "6", "-c:a", "ac3"], seconds: 1)
    let second = try MadeMedia(
      "b.ac3", ["-ac", "6", "-c:a", "ac3", "-center_mixlev", "0.5"], seconds: 1)
    let one = try first.bytes()
    let both = try MadeMedia("c.ac3", bytes: one + (try second.bytes()))
    let frames = one.count / (try frameSize(one))
    for (media, change) in [(first, nil), (both, Int64(frames * 1536))] {
      let file = try MediaFile(path: media.path, options: InputOptions())
      let log = DiagnosticLog()
      let opener = TrackOpener(file)
      let reader = try opener.open(
        opener.select(InputOptions().track, log: log), options: InputOptions(), log: log)
      let block = ProgrammeBlock(reader.programme)
      while try reader.read(into: block) != nil {}
      #expect(isNear(try #require(reader.programme.facts.downmix).loRo, 0.595, 0.5))
      #expect(reader.downmixChange == change)
    }
  }

  /// Distance of the first two sync words.
  private func frameSize(_ bytes: Data) throws -> Int {
    let next = bytes.dropFirst(2).range(of: Data([0x0B, 0x77]))
    return try #require(next).lowerBound
  }
}
