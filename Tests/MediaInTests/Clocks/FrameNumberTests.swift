// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Testing

@testable import MediaIn

/// Headers of frames tell the number of their first sample.
@Suite struct FrameNumberTests {
  private func flac(least: UInt8, greatest: UInt8) -> FrameNumber {
    var stream = StreamInfo(elementary: "flac")
    stream.extradata = [least, 0, greatest, 0] + [UInt8](repeating: 0, count: 30)
    return FrameNumber(.flac, of: stream)
  }

  private let rest = [UInt8](repeating: 0x5A, count: 16)

  /// The headers of the first two examples of RFC 9639, appendix D.
  @Test("FLAC frame 0 of blocks of one length begins at sample 0")
  func blocksOfOneLengthAreCounted() {
    let number = flac(least: 0x10, greatest: 0x10)
    #expect(number.sample([0xFF, 0xF8, 0x69, 0x18, 0x00, 0x00, 0xBF] + rest) == 0)
    #expect(number.sample([0xFF, 0xF8, 0x69, 0x98, 0x00, 0x0F, 0x99] + rest) == 0)
  }

  @Test("a FLAC header of blocks of many lengths states its sample, and a damaged header none")
  func blocksOfManyLengthsStateTheirSample() {
    let header: [UInt8] = [
      0xFF, 0xF9, 0xC9, 0x18, 0xFE, 0x84, 0xA3, 0x91, 0x96, 0x9E, 0x89, 0x33,
    ]
    #expect(flac(least: 0x10, greatest: 0x20).sample(header + rest) == 0x1_2345_6789)
    var damaged = header
    damaged[8] ^= 1
    #expect(flac(least: 0x10, greatest: 0x20).sample(damaged + rest) == nil)
  }

  /// Headers of a frame without the flag, with these numbers.
  private let first: [UInt8] = [0xFF, 0xF8, 0x69, 0x18, 0x00, 0x00, 0xBF]
  private let second: [UInt8] = [0xFF, 0xF8, 0x69, 0x18, 0x01, 0x00, 0xAA]
  private let thousandth: [UInt8] = [0xFF, 0xF8, 0x69, 0x18, 0xCF, 0xA8, 0x00, 0x4E]

  /// Without one length for all blocks, a number alone doesn't tell the sample; the second frame's does.
  @Test(
    "a FLAC frame number counts frames where the second is 1, and samples where it is the first block's length"
  )
  func theSecondFrameShowsWhatIsCounted() {
    var number = flac(least: 0x10, greatest: 0x20)
    #expect(number.sample(first + rest) == 0 && number.sample(second + rest) == nil)
    number.learn(fromSecond: first + rest, after: 1000)
    #expect(number.sample(second + rest) == nil)
    number.learn(fromSecond: second + rest, after: 4096)
    #expect(number.sample(second + rest) == 4096)
    #expect(number.sample(thousandth + rest) == 4_096_000)
    var old = flac(least: 0x10, greatest: 0x20)
    old.learn(fromSecond: thousandth + rest, after: 1000)
    #expect(old.sample(thousandth + rest) == 1000)
    // One length for all blocks leaves nothing to learn.
    var fixed = flac(least: 0x10, greatest: 0x10)
    fixed.learn(fromSecond: thousandth + rest, after: 1000)
    #expect(fixed.sample(thousandth + rest) == 4_096_000)
  }

  @Test(
    "a FLAC header of 7 bytes gives its sample alone, and none when it is cut", arguments: 0...6)
  func cutBytesAreNoHeader(count: Int) {
    let number = flac(least: 0x10, greatest: 0x10)
    #expect(number.sample(second) == 4096)
    #expect(number.sample(second.prefix(count)) == nil)
  }

  @Test("a WavPack header gives a sample of 40 bits, and a cut, damaged or second block none")
  func wavPackStatesFortyBits() {
    let number = FrameNumber(.wavPack, of: StreamInfo(elementary: "wavpack"))
    var header = Array("wvpk".utf8) + [UInt8](repeating: 0, count: 28)
    header[10] = 0x12
    header[25] = 8
    header.replaceSubrange(16..<20, with: [0x78, 0x56, 0x34, 0x9A])
    #expect(number.sample(header) == 0x12_9A34_5678)
    #expect(number.sample(header.dropLast()) == nil)
    // The second block of the same samples.
    header[25] = 0
    #expect(number.sample(header) == nil)
    header[25] = 8
    header[0] = 0
    #expect(number.sample(header) == nil)
  }
}
