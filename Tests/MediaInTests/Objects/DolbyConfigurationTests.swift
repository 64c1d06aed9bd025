// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MediaIn

/// The configuration boxes of AC-3 and E-AC-3 in MP4 (ETSI TS 102 366, F.4 and F.6).
@Suite struct DolbyConfigurationTests {
  /// The bytes of fields with their widths, big-endian, and zeros behind them.
  private func bytes(_ fields: [(value: Int, width: Int)]) -> [UInt8] {
    let text =
      fields.map { value, width in
        let digits = String(value, radix: 2)
        return String(repeating: "0", count: width - digits.count) + digits
      }.joined() + String(repeating: "0", count: 512)
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count / 8 * 8, by: 8).map { place in
      digits[place..<place + 8].reduce(0) { $0 << 1 | ($1 - 0x30) }
    }
  }

  /// A syncframe of 3/2 channels with LFE and 1024 bytes.
  private func main() throws -> DolbySyncframe {
    try #require(
      DolbySyncframe(
        bytes([
          (0x0B77, 16), (0, 2), (0, 3), (511, 11), (0, 2), (3, 2), (7, 3), (1, 1), (16, 5), (27, 5),
        ])))
  }

  /// Mix levels stand before `lfeon` in some modes, and in stereo the surround mode (ETSI TS 102 366, 4.3.2).
  @Test(
    "the LFE flag of AC-3 is found in every channel mode",
    arguments: zip(0...7, [0, 0, 2, 2, 2, 4, 2, 4]))
  func lowFrequenciesOfAC3AreFound(mode: Int, between: Int) throws {
    for hasLFE in [false, true] {
      // Bits around the flag have the other value.
      let other = hasLFE ? 0 : 1
      let fields = [
        (0x0B77, 16), (0, 16), (0, 2), (20, 6), (8, 5), (0, 3), (mode, 3),
        (other * (1 << between - 1), between), (1 - other, 1), (other * 31, 5),
      ]
      let frame = try #require(DolbySyncframe(bytes(fields.filter { $0.1 > 0 })))
      #expect(frame.hasLFE == hasLFE && frame.channelMode == mode)
      #expect(frame.channels == [2, 1, 2, 3, 3, 4, 4, 5][mode] + (hasLFE ? 1 : 0))
    }
  }

  /// A dependent syncframe of 512 bytes, whose channels lie at these places of `chanmap`.
  private func further(_ places: [Int], substream: Int = 0) throws -> DolbySyncframe {
    let map = places.reduce(0) { $0 | 1 << (15 - $1) }
    return try #require(
      DolbySyncframe(
        bytes([
          (0x0B77, 16), (1, 2), (substream, 3), (255, 11), (0, 2), (3, 2), (2, 3), (0, 1), (16, 5),
          (27, 5), (0, 1), (1, 1), (map, 16),
        ])))
  }

  /// Bit k of `chan_loc` is place 5 + k of `chanmap`, and bit 8 is place 14, the second LFE channel.
  @Test(
    "channels of a dependent substream become their bits of chan_loc in the configuration",
    arguments: [
      ([5], 0b1), ([6, 14], 0b1_0000_0010), ([12], 0b1000_0000), ([13], 0), ([15], 0), ([3, 4], 0),
      ([7, 9, 10], 0b0011_0100),
    ] as [([Int], Int)])
  func placesOfDependentChannelsAreNamed(places: [Int], named: Int) throws {
    let payload = try #require(DolbyConfiguration.payload([main(), further(places)]))
    // 384 kbit/s; one programme, 48 kHz, bsid 16, 3/2 with LFE; one dependent substream.
    #expect(payload == [0x0C, 0, 0x20, 0x0F, UInt8(0x02 | named >> 8), UInt8(named & 0xFF)])
  }

  @Test("each dependent substream is described once in the configuration")
  func eachSubstreamIsDescribedOnce() throws {
    let frames = try [main(), further([6]), further([6]), further([11], substream: 1)]
    let payload = try #require(DolbyConfiguration.payload(frames))
    #expect(payload[4] == 0x04 && payload[5] == 0b0100_0010)
    let alone = try #require(DolbyConfiguration.payload([main()]))
    #expect(alone == [0x08, 0, 0x20, 0x0F, 0])
    #expect(DolbyConfiguration.payload([]) == nil)
  }
}
