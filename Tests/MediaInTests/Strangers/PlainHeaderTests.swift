import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// What headers of WAV, CAF and AU say about widths and lengths, which libavformat doesn't hand on.
@Suite struct PlainHeaderTests {
  private static let values = (0..<4800).map {
    Int32(truncatingIfNeeded: $0 * 7919 % 16_001 - 8000)
  }
  private static let floats = values.map { Float($0) / 32_768 }

  /// Samples of 16 bits at the top of places of so many bytes.
  private static func places(_ bytes: Int, isBigEndian: Bool = false) -> Data {
    Data(
      values.flatMap { value -> [UInt8] in
        let whole = Int64(value) << (8 * bytes - 16)
        let little = (0..<bytes).map { UInt8(truncatingIfNeeded: whole >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
      })
  }

  private static func little(_ value: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  private static func big(_ value: Int, _ count: Int) -> Data {
    Data(little(value, count).reversed())
  }

  /// A WAV file with an extensible header: `valid` bits in places of so many bytes.
  private static func wave(valid: Int, bytes: Int, subformat: Int = 1, data: Data) -> Data {
    var format = little(0xFFFE, 2) + little(1, 2) + little(48_000, 4) + little(48_000 * bytes, 4)
    format += little(bytes, 2) + little(8 * bytes, 2) + little(22, 2) + little(valid, 2)
    format += little(4, 4) + little(subformat, 2)
    format += Data([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
    let chunks =
      Data("WAVEfmt ".utf8) + little(format.count, 4) + format + Data("data".utf8)
      + little(data.count, 4) + data
    return Data("RIFF".utf8) + little(chunks.count, 4) + chunks
  }

  /// A CAF file of plain samples; `size` is that of its data, `nil` for the true one.
  private static func caf(bits: Int, bytes: Int, size: Int? = nil) -> Data {
    let data = places(bytes, isBigEndian: true)
    let rate = withUnsafeBytes(of: Double(48_000).bitPattern.bigEndian) { Data($0) }
    let description =
      rate + Data("lpcm".utf8) + big(0, 4) + big(bytes, 4) + big(1, 4) + big(1, 4) + big(bits, 4)
    let head =
      Data("caff".utf8) + Data([0, 1, 0, 0]) + Data("desc".utf8) + big(32, 8) + description
    return head + Data("data".utf8) + big(size ?? data.count + 4, 8) + big(0, 4) + data
  }

  /// Widths as libsndfile reads them: at the top of the place.
  @Test(
    "samples of 16 to 24 bits at the top of larger places in WAV keep their level",
    arguments: [(24, 4), (20, 4), (16, 4), (16, 3), (20, 3), (24, 3), (32, 4), (16, 2), (12, 2)])
  func widthsInWaveKeepTheirLevel(valid: Int, bytes: Int) throws {
    let data = PlainHeaderTests.places(bytes)
    let track = try MadeMedia(
      "a.wav", bytes: PlainHeaderTests.wave(valid: valid, bytes: bytes, data: data)
    ).decode()
    #expect(track.planes[0] == PlainHeaderTests.floats)
    #expect(track.kinds.subtracting(["precision"]).isEmpty)
    let isNamed = track.decisions.contains { $0.code == .bitDepth }
    #expect(isNamed == (valid < 8 * bytes))
  }

  @Test("floats whose header says 24 valid bits are read as floats")
  func floatsWithFewerValidBits() throws {
    let data = PlainHeaderTests.floats.reduce(into: Data()) { data, value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }
    let track = try MadeMedia(
      "a.wav", bytes: PlainHeaderTests.wave(valid: 24, bytes: 4, subformat: 3, data: data)
    ).decode()
    #expect(track.planes[0] == PlainHeaderTests.floats)
  }

  @Test(
    "samples of 12 to 24 bits at the top of larger places in CAF keep their level",
    arguments: [(24, 4), (20, 4), (16, 4), (16, 3), (20, 3), (12, 2), (16, 2)])
  func widthsInCAFKeepTheirLevel(bits: Int, bytes: Int) throws {
    let track = try MadeMedia("a.caf", bytes: PlainHeaderTests.caf(bits: bits, bytes: bytes))
      .decode()
    #expect(track.planes[0] == PlainHeaderTests.floats)
  }

  /// A recorder states −1 while it writes (Apple Core Audio Format Specification, Audio Data Chunk).
  @Test("a CAF file with data of size -1 is whole")
  func anOpenCAFIsWhole() throws {
    let track = try MadeMedia(
      "a.caf", bytes: PlainHeaderTests.caf(bits: 16, bytes: 2, size: -1)
    ).decode()
    #expect(track.planes[0] == PlainHeaderTests.floats && track.degradations.isEmpty)
  }

  @Test(
    "ALAC in CAF begins and ends where its packet table says", arguments: [(0, 4800), (1000, 3000)])
  func thePacketTableCounts(priming: Int, valid: Int) throws {
    let media = try MadeMedia(
      "a.caf", ["-af", "atrim=end_sample=4800", "-c:a", "alac", "-sample_fmt", "s16p"])
    let whole = try media.decode().planes[0]
    let track = try media.altered { data in
      let table = try #require(data.range(of: Data("pakt".utf8))).lowerBound + 12
      let counts = PlainHeaderTests.big(valid, 8) + PlainHeaderTests.big(priming, 4)
      data.replaceSubrange(table + 8..<table + 20, with: counts)
    }.decode()
    #expect(track.planes[0] == Array(whole[priming..<priming + valid]))
    // Without priming and remainder, the table is a muxer's that counts whole packets.
    #expect(track.summary.plan.primingSource == (priming > 0 ? .packetTable : .codecTable))
  }

  /// An AU file of 16-bit samples whose header states `size` bytes.
  private func au(size: Int) throws -> DecodedTrack {
    let data = PlainHeaderTests.places(2, isBigEndian: true)
    let head = [24, size, 3, 48_000, 1].map { PlainHeaderTests.big($0, 4) }.reduce(Data(), +)
    return try MadeMedia("a.au", bytes: Data(".snd".utf8) + head + data).decode()
  }

  @Test("an AU file ends where its header says, and what follows is reported")
  func auEndsByItsHeader() throws {
    let half = try au(size: 4800)
    #expect(half.planes[0] == Array(PlainHeaderTests.floats[..<2400]))
    #expect(half.kinds == ["trailing-data"])
    for open in [0xFFFF_FFFF, 0, 9600] {
      #expect(try au(size: open).planes[0] == PlainHeaderTests.floats)
    }
  }

  /// An AIFF file of 4,800 samples of 16 bits whose COMM counts `frames`, with `fill` after and `lead` bytes in front of them.
  private func aiff(_ frames: Int, fill: Data = Data(), lead: Int = 0) -> Data {
    let data = PlainHeaderTests.places(2, isBigEndian: true)
    let sound = Data(repeating: 0x55, count: lead) + data + fill
    let common =
      Data("COMM".utf8) + PlainHeaderTests.big(18, 4) + PlainHeaderTests.big(1, 2)
      + PlainHeaderTests.big(frames, 4) + PlainHeaderTests.big(16, 2)
      + Data([0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0])
    let chunks =
      Data("AIFF".utf8) + common + Data("SSND".utf8) + PlainHeaderTests.big(sound.count + 8, 4)
      + PlainHeaderTests.big(lead, 4) + PlainHeaderTests.big(0, 4) + sound
    return Data("FORM".utf8) + PlainHeaderTests.big(chunks.count, 4) + chunks
  }

  /// AIFF 1.3: `numSampleFrames` of the Common Chunk is the length, and the Sound Data Chunk may be filled up to whole blocks.
  @Test(
    "an AIFF file ends where its COMM chunk says, as far as its SSND chunk holds samples",
    arguments: [
      (4800, 0, 4800, []), (4800, 100, 4800, []), (2400, 0, 2400, ["trailing-data"]),
      (4804, 0, 4800, ["header-inconsistent"]), (9600, 0, 4800, ["header-inconsistent"]),
      (0, 0, 4800, []),
    ] as [(Int, Int, Int, Set<String>)])
  func aiffEndsByItsCount(frames: Int, fill: Int, samples: Int, told: Set<String>) throws {
    for lead in [0, 6] {
      let bytes = aiff(frames, fill: Data(repeating: 0x79, count: fill), lead: lead)
      let track = try MadeMedia("a.aiff", bytes: bytes).decode()
      #expect(track.planes[0] == Array(PlainHeaderTests.floats[..<samples]))
      #expect(track.kinds == told)
      #expect(track.decisions.contains { $0.code == .trailingData } == (fill > 0))
      // What probe promises.
      if frames > 0 { #expect(track.summary.plan.statedSamples == Int64(samples)) }
    }
  }

  @Test("an AIFF file that is cut by less than a packet is truncated")
  func aCutAIFFIsTruncated() throws {
    let track = try MadeMedia("a.aiff", bytes: aiff(4800).dropLast(200)).decode()
    #expect(track.planes[0] == Array(PlainHeaderTests.floats[..<4700]))
    #expect(track.kinds == ["truncated"])
  }

  /// ffmpeg counts packets of 64 samples, libsndfile samples.
  @Test("coded AIFF ends where COMM counts samples, and with its packets where it counts those")
  func theCountOfCodedAIFF() throws {
    let media = try MadeMedia(
      "a.aiff", ["-af", "atrim=end_sample=4800", "-c:a", "adpcm_ima_qt", "-f", "aiff"])
    #expect(try media.decode().count == 4800)
    let track = try media.altered { data in
      let place = try #require(data.range(of: Data("COMM".utf8))).lowerBound + 10
      data.replaceSubrange(place..<place + 4, with: PlainHeaderTests.big(4770, 4))
    }.decode()
    #expect(track.count == 4770 && track.summary.plan.paddingSource == .common)
  }

  @Test(
    "ADPCM or GSM in WAV ends where its fact chunk says within the last block, and elsewhere with its blocks",
    arguments: [
      (["adpcm_ima_wav"], 4800), (["adpcm_ms"], 4800), (["adpcm_yamaha"], 4800),
      (["libgsm_ms", "-ar", "8000", "-ac", "1"], 800),
    ])
  func theFactChunkEndsBlocks(codec: [String], samples: Int) throws {
    let media = try MadeMedia("a.wav", ["-af", "atrim=end_sample=4800", "-c:a"] + codec)
    let ended = { (fact: Int) in
      try media.altered { data in
        let place = try #require(data.range(of: Data("fact".utf8))).lowerBound + 8
        data.replaceSubrange(place..<place + 4, with: PlainHeaderTests.little(fact, 4))
      }.decode().count
    }
    let blocks = try ended(0)
    #expect(blocks >= samples && blocks < samples + 2048)
    #expect(try ended(samples) == samples)
    #expect(try ended(blocks + 1) == blocks && ended(10) == blocks)
  }
}
