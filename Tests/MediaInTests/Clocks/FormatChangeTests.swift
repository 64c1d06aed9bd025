// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite(.tags(.system), .fullRunOnly) struct FormatChangeTests {
  private func stream(_ arguments: [String]) throws -> MadeMedia {
    try MadeMedia("a.aac", arguments + ["-c:a", "aac", "-aac_pns", "0"], seconds: 1)
  }

  @Test(
    "a change of rate or channels within AAC is converted to the first format and reported",
    arguments: [
      ["-ar", "44100", "-ac", "1"], ["-ar", "24000", "-ac", "2"], ["-ar", "48000", "-ac", "1"],
      ["-ar", "48000", "-ac", "6"],
    ])
  func aChangeIsConvertedAndReported(second: [String]) throws {
    let first = try stream(["-ar", "48000"])
    let other = try stream(second)
    let joined = try MadeMedia("j.aac", bytes: first.bytes() + other.bytes())
    let result = try joined.decode()
    let rate = try other.decode().format.sampleRate
    let packets = try first.decode().summary.decoded
    let rest = try other.decode().summary.decoded * 48_000 / Int64(rate)
    #expect(result.kinds == ["format-change"])
    #expect(result.format == AudioFormat(sampleRate: 48_000, layout: .stereo))
    #expect(abs(result.summary.decoded - packets - rest) <= 1024)
    #expect(result.summary.gaps.isEmpty)
    #expect(result.planes.allSatisfy { $0.allSatisfy(\.isFinite) })
    // The second half sounds.
    let tail = result.planes[0].suffix(20_000).reduce(0) { $0 + $1 * $1 } / 20_000
    #expect(tail > 0.001)
  }

  @Test("after a change and a change back, the last samples are exact again")
  func aChangeBackIsExactAgain() throws {
    let first = try stream(["-ar", "48000"])
    let other = try stream(["-ar", "44100", "-ac", "1"])
    let alone = try first.decode()
    let joined = try MadeMedia(
      "j.aac", bytes: first.bytes() + other.bytes() + first.bytes())
    let result = try joined.decode()
    let rest = try other.decode().summary.decoded * 48_000 / 44_100
    #expect(abs(result.summary.decoded - 2 * alone.summary.decoded - rest) <= 1024)
    let isExact = result.planes[0].suffix(10_000) == alone.planes[0].suffix(10_000)
    #expect(isExact)
  }

  @Test("channels in an order of their own keep it through a change of rate, up to the last sample")
  func ordersSurviveAChangeOfRate() throws {
    let apart = ["-af", "pan=stereo|c0=c0|c1=0.5*c0"]
    let first = try stream(apart + ["-ar", "48000"])
    let other = try stream(apart + ["-ar", "44100"])
    let joined = try MadeMedia("j.aac", bytes: first.bytes() + other.bytes())
    var options = InputOptions()
    options.order = ChannelOrder(name: "FR+FL")
    let plain = try joined.decode()
    let swapped = try joined.decode(options)
    #expect(plain.planes[0] != plain.planes[1])
    #expect(swapped.planes == [plain.planes[1], plain.planes[0]])
    let mono = try MadeMedia("m.aac", bytes: first.bytes() + stream(["-ac", "1"]).bytes())
    #expect(mono.failure() == nil)
    let failure = mono.failure(options)
    #expect(failure?.kind == .unsupportedFeature)
    #expect(failure?.message.contains("order of their own") == true)
  }
}
