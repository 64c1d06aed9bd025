// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import TestSupport
import Testing
import Verify

@testable import MediaOut

/// Field positions of the `bext` chunk, version 2 (EBU Tech 3285, 2.3).
@Suite struct BroadcastChunkTests {
  private func chunk(
    _ info: BroadcastInfo, _ loudness: TrackLoudness? = nil
  ) throws -> [UInt8] {
    var settings = WrittenFile.settings(.mono, .pcm16, frames: 10)
    settings.texts.broadcast = info
    settings.texts.loudness = loudness
    let file = try WrittenFile([[Float](repeating: 0, count: 10)], settings)
    return try #require(try file.header().broadcast)
  }

  private func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
  }

  private func signed(_ bytes: [UInt8], _ offset: Int) -> Int16 {
    Int16(bitPattern: UInt16(WrittenFile.little(bytes, offset, 2)))
  }

  @Test("bext has texts, time reference, version and loudness at the standard's offsets")
  func loudnessFieldsLieWhereTheStandardPutsThem() throws {
    let info = BroadcastInfo(
      description: "A scene", timeReference: 0x1_2345_6789,
      codingHistory: "A=PCM,F=48000,W=24,M=stereo,T=Pinna\r\n")
    let loudness = TrackLoudness(
      integrated: -16.04, truePeak: -1.01, range: 7.5, momentaryMax: -9.99, shortTermMax: -12.345)
    let bytes = try chunk(info, loudness)
    #expect(text(bytes, 0..<256) == "A scene")
    #expect(text(bytes, 256..<288) == "Pinna")
    #expect(WrittenFile.little(bytes, 338, 8) == 0x1_2345_6789)
    #expect(WrittenFile.little(bytes, 346, 2) == 2)
    #expect(bytes[348..<412].allSatisfy { $0 == 0 })
    #expect(signed(bytes, 412) == -1604)
    #expect(signed(bytes, 414) == 750)
    #expect(signed(bytes, 416) == -101)
    #expect(signed(bytes, 418) == -999)
    #expect(abs(Int(signed(bytes, 420)) + 1234) <= 1)
    #expect(bytes[422..<602].allSatisfy { $0 == 0 })
    #expect(text(bytes, 602..<bytes.count).hasPrefix("A=PCM,F=48000,W=24,M=stereo,T=Pinna\r\n"))
  }

  /// Figures are rounded to hundredths, not cut.
  @Test("loudness figures are rounded to hundredths")
  func figuresAreRounded() throws {
    let info = BroadcastInfo(description: "", timeReference: 0, codingHistory: "")
    let bytes = try chunk(
      info, TrackLoudness(integrated: -16.046, truePeak: -0.996, range: 7.496))
    #expect([412, 414, 416].map { signed(bytes, $0) } == [-1605, 750, -100])
  }

  /// The chunk that is made here has the fields that libsndfile writes.
  @Test("the own bext chunk has the 602 bytes of fields that libsndfile writes")
  func bothWaysToWriteItAgree() throws {
    let info = BroadcastInfo(
      description: String(repeating: "é", count: 200), timeReference: 0x1_2345_6789,
      codingHistory: "A=PCM,F=48000,W=24,M=mono,T=Pinna\r\n")
    let loudness = TrackLoudness(integrated: -16.04, truePeak: .nan, shortTermMax: -12.345)
    let theirs = try chunk(info, loudness)
    let ours = info.chunk(loudness)
    #expect(ours.id == "bext")
    #expect(ours.bytes[..<602] == theirs[..<602])
    #expect(text(ours.bytes, 602..<ours.bytes.count) == info.codingHistory)
  }

  /// 0x7FFF marks a figure that isn't stated.
  @Test("infinite, NaN, huge and unset loudness figures are 0x7FFF")
  func unsetAndImpossibleFiguresAreMarked() throws {
    let info = BroadcastInfo(description: "", timeReference: 0, codingHistory: "")
    let bytes = try chunk(
      info, TrackLoudness(integrated: -.infinity, truePeak: 1e9, range: .nan))
    for offset in stride(from: 412, to: 422, by: 2) { #expect(signed(bytes, offset) == 0x7FFF) }
  }

  @Test("bext has neither date nor time")
  func noTimeOfDayIsWritten() throws {
    let bytes = try chunk(BroadcastInfo(description: "", timeReference: 0, codingHistory: ""))
    #expect(bytes[320..<338].allSatisfy { $0 == 0 })
  }

  @Test("a long description is cut to 256 bytes and leaves the originator alone")
  func longTextsAreCut() throws {
    let long = String(repeating: "A=PCM\r\n", count: 1000)
    let bytes = try chunk(
      BroadcastInfo(
        description: String(repeating: "d", count: 300), timeReference: 0, codingHistory: long))
    #expect(bytes[0..<256].allSatisfy { $0 == UInt8(ascii: "d") })
    #expect(text(bytes, 256..<288) == "Pinna")
    #expect(text(bytes, 602..<bytes.count).hasPrefix("A=PCM\r\nA=PCM\r\n"))
  }

  @Test(
    "ffprobe finds title and artist in a WAV, and a second file has the same bytes", .tags(.system),
    .fullRunOnly)
  func tagsAreCarriedAndRepeat() throws {
    let tags = MediaTags([("title", "Título"), ("artist", "An artist")])
    var settings = WrittenFile.settings(.mono, .pcm16, frames: 10)
    settings.texts.tags = tags
    let file = try WrittenFile([[Float](repeating: 0, count: 10)], settings)
    let probed = try file.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "flat", file.path])
    let text = String(decoding: probed.output, as: UTF8.self)
    #expect(text.contains("Título"))
    #expect(text.contains("An artist"))
    let again = try WrittenFile([[Float](repeating: 0, count: 10)], settings)
    #expect(try again.bytes() == file.bytes())
  }
}
