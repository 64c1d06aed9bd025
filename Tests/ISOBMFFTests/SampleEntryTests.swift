// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

@Suite struct SampleEntryTests {
  /// The fields in front of the boxes.
  private func fields(channels: UInt16, bits: UInt16, rate: UInt16) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + BoxBytes.number(channels)
      + BoxBytes.number(bits) + [0, 0, 0, 0] + BoxBytes.number(rate) + [0, 0]
  }

  @Test("dOps has OpusHead's fields big-endian, and a cut head is refused")
  func opusFieldsAreTurnedRound() throws {
    let head =
      Array("OpusHead".utf8) + [1, 6, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0x00, 0xFF, 1]
      + [4, 2, 0, 4, 1, 2, 3, 5]
    let entry = try OpusSampleEntry(head: head)
    #expect(entry.preSkip == 312)
    let box: [UInt8] =
      [0, 6, 0x01, 0x38, 0, 0, 0xBB, 0x80, 0xFF, 0x00, 1, 4, 2, 0, 4, 1, 2, 3, 5]
    #expect(
      entry.encoded
        == BoxBytes.box(
          "Opus", fields(channels: 6, bits: 16, rate: 48_000) + BoxBytes.box("dOps", box)))
    for length in 0..<head.count {
      #expect(throws: BoxError.self) { try OpusSampleEntry(head: Array(head[..<length])) }
    }
  }

  @Test(
    "FLAC rates above 16 bits are halved in the sample entry or set to the greatest",
    arguments: [
      (44_100, 44_100), (96_000, 48_000), (192_000, 48_000), (176_400, 44_100), (65_537, 65_535),
    ])
  func flacRatesAreHalved(rate: Int, written: UInt16) throws {
    let info = flacInfo(rate: rate, bits: 24)
    let entry = try FLACSampleEntry(streamInfo: info)
    #expect(
      entry.encoded
        == BoxBytes.box(
          "fLaC",
          fields(channels: 2, bits: 24, rate: written)
            + BoxBytes.box("dfLa", [0, 0, 0, 0, 0x80, 0, 0, 34] + info)))
    #expect(throws: BoxError.self) { try FLACSampleEntry(streamInfo: Array(info.dropLast())) }
  }

  @Test("a FLAC entry has the stream's bits", arguments: [8, 16, 20, 24, 32])
  func flacBitsAreThoseOfTheStream(bits: Int) throws {
    let entry = try FLACSampleEntry(streamInfo: flacInfo(rate: 48_000, bits: bits))
    let written = entry.encoded.dropFirst(8).prefix(28)
    #expect(Array(written) == fields(channels: 2, bits: UInt16(bits), rate: 48_000))
  }

  /// STREAMINFO of two channels and of as many samples as 36 bits can count (RFC 9639, 8.2).
  private func flacInfo(rate: Int, bits: Int) -> [UInt8] {
    let packed = UInt32(rate) << 12 | 1 << 9 | UInt32(bits - 1) << 4 | 15
    return [UInt8](repeating: 0, count: 10) + BoxBytes.number(packed)
      + [UInt8](repeating: 0xFF, count: 4) + [UInt8](repeating: 0, count: 16)
  }

  @Test("an AAC entry has its descriptors and bit rates, and a short configuration is refused")
  func aacHasItsDescriptors() throws {
    let entry = try AACSampleEntry(
      configuration: [0x11, 0x90], channels: 2, sampleRate: 48_000, averageBitRate: 128_000,
      peakBitRate: 160_000)
    let length: (UInt8) -> [UInt8] = { [0x80, 0x80, 0x80, $0] }
    let specific = [5] + length(2) + [0x11, 0x90]
    let decoder: [UInt8] =
      [4] + length(20) + [0x40, 0x15, 0, 6, 0, 0, 2, 0x71, 0, 0, 1, 0xF4, 0] + specific
    let stream = [3] + length(34) + [0, 0, 0] + decoder + [6] + length(1) + [2]
    #expect(
      entry.encoded
        == BoxBytes.box(
          "mp4a",
          fields(channels: 2, bits: 16, rate: 48_000)
            + BoxBytes.box("esds", [0, 0, 0, 0] + stream)))
    #expect(throws: BoxError.self) {
      try AACSampleEntry(configuration: [1], channels: 2, sampleRate: 48_000)
    }
  }

  @Test("a bare and a boxed ALAC cookie give one entry, and a cut one is refused")
  func alacTakesBothFormsOfItsCookie() throws {
    var cookie = [UInt8](repeating: 0, count: 24)
    cookie[5] = 24
    cookie[9] = 2
    cookie.replaceSubrange(20..<24, with: BoxBytes.number(UInt32(96_000)))
    let boxed = BoxBytes.box("alac", [0, 0, 0, 0] + cookie)
    let entry = try ALACSampleEntry(cookie: cookie).encoded
    #expect(entry == BoxBytes.box("alac", fields(channels: 2, bits: 24, rate: 0) + boxed))
    #expect(try ALACSampleEntry(cookie: boxed).encoded == entry)
    #expect(throws: BoxError.self) { try ALACSampleEntry(cookie: Array(boxed.dropLast())) }
  }

  @Test("a float PCM entry states byte order and bits, and 16-bit float is refused")
  func pcmStatesItsForm() throws {
    let entry = try PCMSampleEntry(
      isFloat: true, bits: 32, isLittleEndian: true, channels: 8, sampleRate: 192_000)
    #expect(
      entry.encoded
        == BoxBytes.box(
          "fpcm",
          fields(channels: 8, bits: 32, rate: 0) + BoxBytes.box("pcmC", [0, 0, 0, 0, 1, 32])))
    #expect(throws: BoxError.self) {
      try PCMSampleEntry(
        isFloat: true, bits: 16, isLittleEndian: true, channels: 2, sampleRate: 48_000)
    }
  }

  @Test(
    "AC-3, E-AC-3 and AC-4 entries carry their configuration, and an empty one is refused",
    arguments: [
      (DolbySampleEntry.Coding.ac3, "ac-3", "dac3", 3), (.eac3, "ec-3", "dec3", 7),
      (.ac4, "ac-4", "dac4", 20),
    ])
  func dolbyEntriesCarryTheirConfiguration(
    coding: DolbySampleEntry.Coding, type: String, box: String, length: Int
  ) throws {
    let configuration = (0..<length).map { UInt8($0) }
    let entry = try DolbySampleEntry(
      coding, configuration: configuration, channels: 6, sampleRate: 48_000)
    #expect(
      entry.encoded
        == BoxBytes.box(
          type,
          fields(channels: 6, bits: 16, rate: 48_000) + BoxBytes.box(box, configuration)))
    #expect(throws: BoxError.self) {
      try DolbySampleEntry(coding, configuration: [], channels: 6, sampleRate: 48_000)
    }
  }
}
