// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// A WAV header that contradicts itself or the file is reported; nothing is reported of an intact one.
@Suite struct RIFFHeaderTests {
  private static let planes = [[Int16](repeating: 1000, count: 4000), .init(0..<4000)]
  private static let whole = WAVBytes.pcm16(planes, rate: 48_000)

  private func media(_ change: (inout Data) -> Void = { _ in }) throws -> MadeMedia {
    var data = RIFFHeaderTests.whole
    change(&data)
    return try MadeMedia("a.wav", bytes: data)
  }

  private func put(_ value: Int, _ count: Int, at offset: Int, in data: inout Data) {
    for index in 0..<count { data[offset + index] = UInt8(value >> (8 * index) & 255) }
  }

  @Test("an intact WAV has no degradations, and decisions on track and layout only")
  func anIntactFileRaisesNoDoubt() throws {
    let result = try media().decode()
    #expect(result.degradations.isEmpty)
    #expect(Set(result.decisions.map(\.code.rawValue)) == ["track", "layout"])
  }

  @Test(
    "a WAV whose sizes are those that writers to pipes leave is read whole, and its unknown size is reported",
    // Of ffmpeg, SoX (0x7FFFF000) and LAME (2³¹ − 1).
    arguments: [0, 0xFFFF_FFFF, 0xFFFF_FF9B, 0x7FFF_F000, 0x7FFF_FFFF])
  func anOpenLengthIsNoCut(size: Int) throws {
    let result = try media {
      put(size, 4, at: 4, in: &$0)
      put(size, 4, at: 40, in: &$0)
    }.decode()
    #expect(result.kinds == ["size-unknown"])
    #expect(result.count == 4000)
  }

  /// SoX rounds its length for pipes down to whole frames, here of two times three bytes.
  @Test("a WAV of 24 bits whose sizes SoX leaves for a pipe is read whole as of unknown size")
  func anOpenLengthOfWholeFramesIsNoCut() throws {
    var data = RIFFHeaderTests.whole
    put(6, 2, at: 32, in: &data)
    put(24, 2, at: 34, in: &data)
    put(48_000 * 6, 4, at: 28, in: &data)
    put(0x7FFF_F020, 4, at: 4, in: &data)
    put(0x7FFF_EFFC, 4, at: 40, in: &data)
    // 16,000 bytes of samples hold 2,666 frames of six and a rest of four.
    let result = try MadeMedia("a.wav", bytes: data).decode()
    #expect(result.kinds.contains("size-unknown"))
    #expect(result.count == 2666)
  }

  @Test("a wrong block size in a WAV header is reported, and all 4000 samples are read")
  func aWrongBlockSizeIsReported() throws {
    let result = try media { put(1, 2, at: 32, in: &$0) }.decode()
    #expect(result.kinds == ["header-inconsistent"])
    #expect(result.count == 4000)
  }

  @Test(
    "a rate of 113,536 Hz that the byte rate contradicts is refused, and a plain 47,999 Hz is accepted"
  )
  func anOddRateThatIsContradictedIsRefused() throws {
    let error = try media { put(113_536, 4, at: 24, in: &$0) }.failure()
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains("113536 Hz") == true)
    // An unusual rate that no other field contradicts is accepted.
    let odd = try media {
      put(47_999, 4, at: 24, in: &$0)
      put(47_999 * 4, 4, at: 28, in: &$0)
    }
    #expect(try odd.decode().kinds.isEmpty)
  }

  @Test("two odd rates in a WAV header are reported as inconsistent")
  func twoOddRatesAreTold() throws {
    let result = try media {
      put(113_536, 4, at: 24, in: &$0)
      put(708_096, 4, at: 28, in: &$0)
    }.decode()
    #expect(result.kinds == ["header-inconsistent"])
    #expect(result.count == 4000)
  }

  @Test("a wrong byte rate beside 48,000 Hz gives a decision for that rate and no degradation")
  func aUsualRateOutweighsWrongBytesASecond() throws {
    let result = try media { put(7, 4, at: 28, in: &$0) }.decode()
    #expect(result.kinds.isEmpty)
    #expect(result.decisions.contains { $0.code == .rate && $0.chose == "48000 Hz" })
  }

  @Test("a WAV of 0 or 65535 channels is refused, and the error states the number")
  func noChannelsAreRefusedByName() throws {
    let error = try media { put(0, 2, at: 22, in: &$0) }.failure()
    #expect(error?.kind == .inputUnreadable)
    #expect(error?.message.contains("0 channels") == true)
    let many = try media { put(65_535, 2, at: 22, in: &$0) }.failure()
    #expect(many?.message.contains("65535 channels") == true)
  }

  /// The oldest form of `fmt ` has 16 bytes; a shorter one states nothing.
  @Test("a fmt chunk of less than 16 bytes states no format", arguments: [0, 4, 15, 16, 18])
  func aFormatThatIsTooShortIsNone(size: Int) throws {
    var data = RIFFHeaderTests.whole.prefix(12) + Data("fmt ".utf8) + Data([UInt8(size), 0, 0, 0])
    data += Data((0..<size + size % 2).map { UInt8($0) })
    data += Data("data".utf8) + Data([4, 0, 0, 0, 1, 2, 3, 4])
    let media = try MadeMedia("a.wav", bytes: data)
    let header = try withExtendedLifetime(media) { RIFFHeader(try LocalFile(path: media.path)) }
    let format = try #require(header).format
    #expect(format?.bits == (size < 16 ? nil : 0x0F0E))
    #expect(format?.tag == (size < 16 ? nil : 0x0100))
  }

  @Test("a WAV with the unknown format 0x4242 is refused as unsupported, and the error has the tag")
  func anUnknownFormatIsNamedByItsTag() throws {
    let error = try media { put(0x4242, 2, at: 20, in: &$0) }.failure()
    #expect(error?.kind == .unsupportedCodec)
    #expect(error?.message.contains("0x4242") == true)
  }

  @Test("a second WAV after the first is reported, and other bytes there are noted as a decision")
  func anotherFileBehindIsReportedAndOtherBytesAreNoted() throws {
    let twice = try media { $0 += RIFFHeaderTests.whole }.decode()
    #expect(twice.kinds == ["trailing-data"])
    #expect(twice.count == 4000)
    let rubbish = try media { $0 += Data("rubbish".utf8) }.decode()
    #expect(rubbish.kinds.isEmpty)
    #expect(rubbish.decisions.contains { $0.code == .trailingData })
  }

  @Test("a LIST tag that exceeds its chunk is noted as a decision, and all samples are read")
  func tagsThatReachTooFarAreNoted() throws {
    let list = Data("LIST\u{0C}\0\0\0INFOINAM".utf8) + Data([0xFF, 0xFF, 0xFF, 0])
    let result = try media { $0.insert(contentsOf: list, at: 36) }.decode()
    #expect(result.count == 4000)
    #expect(result.decisions.contains { $0.code == .metadata && $0.why.hasPrefix("1 LIST") })
  }

  @Test("a WAV named a.mp3 is read as WAV by a decision, and one named a.bin without any")
  func theNameIsOverruledByTheBytes() throws {
    let result = try MadeMedia("a.mp3", bytes: RIFFHeaderTests.whole).decode()
    #expect(result.decisions.contains { $0.code == .container && $0.chose == "wav" })
    let unknown = try MadeMedia("a.bin", bytes: RIFFHeaderTests.whole).decode()
    #expect(!unknown.decisions.contains { $0.code == .container })
  }

  @Test(
    "samples of 3e38 and infinity become reported silence, and a file of nothing but 1e30 is refused"
  )
  func samplesThatNoScaleExplainsBecomeSilence() throws {
    var samples = [Float](repeating: 0.5, count: 4000)
    samples[100] = 3e38
    samples[200] = .infinity
    samples[300] = -100
    let bytes = WAVBytes.float32([samples], rate: 48_000)
    let result = try MadeMedia("a.wav", bytes: bytes).decode()
    #expect(result.kinds == ["non-finite-samples", "implausible-samples"])
    #expect(result.planes[0][100] == 0 && result.planes[0][200] == 0)
    #expect(result.planes[0][300] == -100)
    #expect(result.decisions.contains { $0.code == .fullScale && $0.why.contains("40.0 dB") })
    let absurd = WAVBytes.float32([[Float](repeating: 1e30, count: 500)], rate: 48_000)
    #expect(try MadeMedia("a.wav", bytes: absurd).failure()?.kind == .damaged)
  }
}
