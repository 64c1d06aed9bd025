// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import MediaIn

/// Widths and lengths in headers of WAV, CAF and AU, which libavformat doesn't hand on.
@Suite struct PlainHeaderTests {
  /// Widths as libsndfile reads them: at the top of the place.
  @Test(
    "samples of 16 to 24 bits at the top of larger places in WAV keep their level",
    arguments: [(24, 4), (20, 4), (16, 4), (16, 3), (20, 3), (24, 3), (32, 4), (16, 2), (12, 2)])
  func widthsInWaveKeepTheirLevel(valid: Int, bytes: Int) throws {
    let data = PlainBytes.places(bytes)
    let track = try MadeMedia(
      "a.wav", bytes: PlainBytes.wave(valid: valid, bytes: bytes, data: data)
    ).decode()
    #expect(track.planes[0] == PlainBytes.floats)
    #expect(track.kinds.subtracting(["precision"]).isEmpty)
    let isNamed = track.decisions.contains { $0.code == .bitDepth }
    #expect(isNamed == (valid < 8 * bytes))
  }

  @Test("floats whose header says 24 valid bits are read as floats")
  func floatsWithFewerValidBits() throws {
    let track = try MadeMedia(
      "a.wav", bytes: PlainBytes.wave(valid: 24, bytes: 4, subformat: 3, data: PlainBytes.singles())
    ).decode()
    #expect(track.planes[0] == PlainBytes.floats)
  }

  @Test(
    "samples of 12 to 24 bits at the top of larger places in CAF keep their level",
    arguments: [(24, 4), (20, 4), (16, 4), (16, 3), (20, 3), (12, 2), (16, 2)])
  func widthsInCAFKeepTheirLevel(bits: Int, bytes: Int) throws {
    let track = try MadeMedia("a.caf", bytes: PlainBytes.caf(bits: bits, bytes: bytes))
      .decode()
    #expect(track.planes[0] == PlainBytes.floats)
  }

  /// A recorder states −1 while it writes (Apple Core Audio Format Specification, Audio Data Chunk).
  @Test("a CAF file with data of size -1 is whole")
  func anOpenCAFIsWhole() throws {
    let track = try MadeMedia(
      "a.caf", bytes: PlainBytes.caf(bits: 16, bytes: 2, size: -1)
    ).decode()
    #expect(track.planes[0] == PlainBytes.floats && track.degradations.isEmpty)
  }

  @Test(
    "ALAC in CAF begins and ends where its packet table says", arguments: [(0, 4800), (1000, 3000)])
  func thePacketTableCounts(priming: Int, valid: Int) throws {
    let media = try MadeMedia(
      "a.caf", ["-af", "atrim=end_sample=4800", "-c:a", "alac", "-sample_fmt", "s16p"])
    let whole = try media.decode().planes[0]
    let track = try media.altered { data in
      let table = try #require(data.range(of: Data("pakt".utf8))).lowerBound + 12
      let counts = PlainBytes.big(valid, 8) + PlainBytes.big(priming, 4)
      data.replaceSubrange(table + 8..<table + 20, with: counts)
    }.decode()
    #expect(track.planes[0] == Array(whole[priming..<priming + valid]))
    // Without priming and remainder, the table is a muxer's that counts whole packets.
    #expect(track.summary.plan.primingSource == (priming > 0 ? .packetTable : .codecTable))
  }

  @Test("an AU file ends where its header says, and what follows is reported")
  func auEndsByItsHeader() throws {
    let half = try MadeMedia("a.au", bytes: PlainBytes.au(size: 4800)).decode()
    #expect(half.planes[0] == Array(PlainBytes.floats[..<2400]))
    #expect(half.kinds == ["trailing-data"])
    for open in [0xFFFF_FFFF, 0, 9600] {
      let track = try MadeMedia("a.au", bytes: PlainBytes.au(size: open)).decode()
      #expect(track.planes[0] == PlainBytes.floats)
    }
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
      let bytes = PlainBytes.aiff(frames, fill: Data(repeating: 0x79, count: fill), lead: lead)
      let track = try MadeMedia("a.aiff", bytes: bytes).decode()
      #expect(track.planes[0] == Array(PlainBytes.floats[..<samples]))
      #expect(track.kinds == told)
      #expect(track.decisions.contains { $0.code == .trailingData } == (fill > 0))
      // The length that probe promises.
      if frames > 0 { #expect(track.summary.plan.statedSamples == Int64(samples)) }
    }
  }

  @Test("an AIFF file that is cut by less than a packet is truncated")
  func aCutAIFFIsTruncated() throws {
    let track = try MadeMedia("a.aiff", bytes: PlainBytes.aiff(4800).dropLast(200)).decode()
    #expect(track.planes[0] == Array(PlainBytes.floats[..<4700]))
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
      data.replaceSubrange(place..<place + 4, with: PlainBytes.big(4770, 4))
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
        data.replaceSubrange(place..<place + 4, with: PlainBytes.little(fact, 4))
      }.decode().count
    }
    let blocks = try ended(0)
    #expect(blocks >= samples && blocks < samples + 2048)
    #expect(try ended(samples) == samples)
    #expect(try ended(blocks + 1) == blocks && ended(10) == blocks)
  }
}
