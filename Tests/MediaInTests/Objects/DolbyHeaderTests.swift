// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite struct DolbyHeaderTests {
  /// A big-endian bit field writer.
  private struct Bits {
    var bytes: [UInt8] = []
    private var count = 0

    mutating func put(_ value: Int, _ width: Int) {
      for bit in stride(from: width - 1, through: 0, by: -1) {
        if count % 8 == 0 { bytes.append(0) }
        bytes[count / 8] |= UInt8(value >> bit & 1) << UInt8(7 - count % 8)
        count += 1
      }
    }

    /// Values with their widths.
    init(_ fields: [(Int, Int)]) { for (value, width) in fields { put(value, width) } }
  }

  /// E-AC-3 bit stream information up to and including `lfeon`.
  private let enhanced: [(Int, Int)] = [
    (0x0B77, 16), (0, 2), (0, 3), (511, 11), (0, 2), (3, 2), (7, 3), (1, 1),
  ]

  @Test(
    "dialnorm values written by ffmpeg are read from AC-3 and E-AC-3 in 1, 2 and 6 channels",
    .tags(.system), .fullRunOnly, arguments: ["ac3", "eac3"], [-27, -31, -1])
  func dialogueNormalisationIsRead(codec: String, level: Int) throws {
    for channels in [1, 2, 6] {
      let media = try MadeMedia(
        "a." + codec, ["-ac", "\(channels)", "-c:a", codec, "-dialnorm", "\(level)"], seconds: 1)
      let header = try #require(DolbyHeader(Array(try media.bytes().prefix(256))))
      #expect(header.dialnorm == level)
      #expect(header.isEnhanced == (codec == "eac3"))
      #expect(!header.hasCompression)
      #expect(header.objectComplexity == (codec == "eac3" ? 0 : nil))
      let facts = try media.decode().facts
      #expect(facts.dialnorm == Double(level) && facts.hasDynamicRange == false)
      #expect(facts.downmix == header.downmix)
    }
  }

  /// `dialnorm` 0 is reserved and means −31 (ETSI TS 102 366, 4.4.2.8).
  @Test("the reserved dialnorm 0 is read as -31")
  func theReservedLevelMeansMinus31() throws {
    let bits = Bits(enhanced + [(16, 5), (0, 5), (0, 1), (0, 1), (0, 1), (0, 1), (0, 64)])
    #expect(DolbyHeader(bits.bytes)?.dialnorm == -31)
  }

  /// Heavy compression, mixing and informational metadata lie before the extension.
  @Test("object complexity 13 is found after compression, mixing and informational metadata")
  func objectsAreFoundBehindAllMetadata() throws {
    let mixing: [(Int, Int)] = [
      (1, 1), (2, 2), (0x3F, 6), (0x3F, 6), (1, 1), (31, 5), (1, 1), (63, 6), (1, 1), (63, 6),
      (3, 2), (1, 5), (0xFFFFFF, 24), (1, 1), (1, 1), (31, 5), (0, 1), (1, 1), (31, 5), (0, 3),
    ]
    let information: [(Int, Int)] = [
      (1, 1), (7, 3), (1, 1), (1, 1), (3, 2), (1, 1), (255, 8), (1, 1),
    ]
    let objects: [(Int, Int)] = [(1, 1), (1, 6), (0, 7), (1, 1), (13, 8), (0, 64)]
    let start: [(Int, Int)] = enhanced + [(16, 5), (24, 5), (1, 1), (0xAB, 8)]
    let header = try #require(DolbyHeader(Bits(start + mixing + information + objects).bytes))
    #expect(header.dialnorm == -24)
    #expect(header.hasCompression)
    #expect(header.objectComplexity == 13)
  }

  /// Mixing metadata that say nothing of the single blocks (`blkmixcfginfoe` 0), of a frame of one and of six blocks.
  @Test(
    "object complexity 13 is found after short mixing metadata, in frames of one and six blocks",
    arguments: [(0, 1), (3, 0)])
  func objectsAreFoundBehindShortMetadata(
    code: Int, converting: Int
  ) {
    let start: [(Int, Int)] = [
      (0x0B77, 16), (0, 2), (0, 3), (511, 11), (0, 2), (code, 2), (7, 3), (1, 1), (16, 5), (24, 5),
      (0, 1),
    ]
    let mixing: [(Int, Int)] = [
      (1, 1), (2, 2), (0x3F, 6), (0x3F, 6), (0, 1), (0, 1), (0, 1), (0, 2), (0, 1),
    ]
    let objects: [(Int, Int)] = [
      (0, 1), (0, converting), (1, 1), (1, 6), (0, 7), (1, 1), (13, 8), (0, 64),
    ]
    #expect(DolbyHeader(Bits(start + mixing + objects).bytes)?.objectComplexity == 13)
  }

  @Test("an extension of another type has object complexity 0")
  func anExtensionOfAnotherTypeHoldsNoObjects() {
    let objects: [(Int, Int)] = [(0, 1), (0, 1), (1, 1), (1, 6), (0, 7), (0, 1), (13, 8), (0, 64)]
    let bits = Bits(enhanced + [(16, 5), (24, 5), (0, 1)] + objects)
    #expect(DolbyHeader(bits.bytes)?.objectComplexity == 0)
  }

  @Test(
    "the JOC file has objects, and the plain E-AC-3 file has none", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func theJOCFileHasSixteenObjects() throws {
    var options = InputOptions()
    options.objects.use = .bed
    let track = try DecodedTrack(path: SharedMedia.path("sample_eac3joc.mp4"), options)
    #expect(track.facts.objects == .yes)
    let plain = try DecodedTrack(path: SharedMedia.path("sample_eac3.mp4"))
    #expect(plain.facts.objects == .no)
  }

  @Test("other bytes are no header of AC-3") func otherBytesAreNoHeader() {
    #expect(DolbyHeader([]) == nil)
    #expect(DolbyHeader([0x0B, 0x77]) == nil)
    #expect(DolbyHeader([UInt8](repeating: 0, count: 64)) == nil)
    #expect(DolbyHeader([0x0B, 0x77, 0, 0, 0, 17 << 3, 0, 0]) == nil)
  }

  @Test(
    "a damaged AC-3 header is refused or has values in range", .tags(.system), .fullRunOnly,
    arguments: ["ac3", "eac3"]) func damagedHeadersNeverTrap(
      codec: String
    ) throws
  {
    let media = try MadeMedia("a." + codec, ["-c:a", codec], seconds: 1)
    let head = Array(try media.bytes().prefix(256))
    for length in 0...head.count {
      if let header = DolbyHeader(Array(head[..<length])) {
        #expect((-31...(-1)).contains(header.dialnorm) || length < 16)
      }
    }
    var noise = SeededNoise(seed: 9)
    for _ in 0..<Soak.rounds(500, soak: 200_000) {
      var copy = head
      for _ in 0..<6 {
        copy[Int.random(in: 2..<40, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
      }
      if let header = DolbyHeader(copy) {
        #expect((-31...(-1)).contains(header.dialnorm))
        #expect((0...255).contains(header.objectComplexity ?? 0))
      }
    }
  }
}
