// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Error messages and exit codes for files that can't be opened.
@Suite struct OpenFailureTests {
  /// A file, and how it is refused.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let bytes: [UInt8]
    let kind: MediaError.Kind
    let exitCode: Int32
    let words: [String]
  }

  /// `value` in `count` bytes.
  private static func number(_ value: Int, _ count: Int, isLittleEndian: Bool = false) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? little : little.reversed()
  }

  /// A box of `name` around `content`.
  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(8 + content.count, 4) + Array(name.utf8) + content
  }

  /// An MP4 without a movie box, of which libavformat says so.
  private static let movieWithoutHeader =
    box("ftyp", Array("isom0000isom".utf8)) + box("mdat", [UInt8](repeating: 1, count: 64))

  /// Monkey's Audio 3.99, whose header counts 100,000,000 frames in 476 bytes: descriptor of 52 bytes, header of 24.
  private static var countlessFrames: [UInt8] {
    func put(_ value: Int, _ count: Int) -> [UInt8] { number(value, count, isLittleEndian: true) }
    let sizes = [52, 24, 400_000_000, 0, 0, 0, 0].flatMap { put($0, 4) }
    let descriptor = Array("MAC ".utf8) + put(3990, 2) + put(0, 2) + sizes + put(0, 16)
    let header = [(2000, 2), (0, 2), (73_728, 4), (100, 4), (100_000_000, 4), (16, 2), (2, 2)]
    return descriptor + header.flatMap { put($0.0, $0.1) } + put(44_100, 4) + put(0, 400)
  }

  /// DSDIFF whose samples are compressed in an unknown way.
  private static var unknownCompression: [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(content.count, 8) + content
    }
    let properties =
      Array("SND ".utf8) + chunk("FS  ", number(2_822_400, 4)) + chunk("CMPR", Array("XYZ ".utf8))
    return chunk("FRM8", Array("DSD ".utf8) + chunk("PROP", properties))
  }

  /// AU of an encoding that isn't known.
  private static let unknownEncoding =
    Array(".snd".utf8) + [24, 100, 0x1234, 8000, 1].flatMap { number($0, 4) } + number(0, 100)

  /// CAF of 16 bits whose rate, a Double, is 0.
  private static let noRate =
    Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + number(32, 8) + number(0, 8)
    + Array("lpcm".utf8) + [0, 2, 1, 1, 16].flatMap { number($0, 4) } + Array("data".utf8)
    + number(204, 8) + number(0, 204)

  static let rows = [
    Row(
      testDescription: "a count of frames that no memory holds", name: "a.ape",
      bytes: countlessFrames, kind: .inputUnreadable, exitCode: 3,
      words: ["asks for more memory than a file of 476 bytes"]),
    Row(
      testDescription: "a picture", name: "a.gif",
      bytes: Array("GIF89a".utf8) + [1, 0, 1, 0] + number(0, 100), kind: .inputUnreadable,
      exitCode: 3, words: ["GIF", "none of the formats that Pinna reads"]),
    Row(
      testDescription: "a playlist by another name", name: "a.wav",
      bytes: Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n".utf8),
      kind: .inputUnreadable, exitCode: 3, words: ["is a playlist", ".m3u8"]),
    Row(
      testDescription: "bytes that libavformat takes for raw AMR", name: "a.bin",
      bytes: (0..<2500).flatMap { _ in [0xDE, 0xAD, 0xBE, 0xEF] as [UInt8] },
      kind: .inputUnreadable, exitCode: 3, words: []),
    Row(
      testDescription: "a compression that libavformat doesn't know", name: "a.dff",
      bytes: unknownCompression, kind: .unsupportedFeature, exitCode: 5,
      words: ["'XYZ ' compression"]),
    Row(
      testDescription: "an encoding that libavformat doesn't know", name: "a.au",
      bytes: unknownEncoding, kind: .unsupportedFeature, exitCode: 5, words: ["codec tag"]),
    Row(
      testDescription: "no sample rate", name: "a.caf", bytes: noRate, kind: .inputUnreadable,
      exitCode: 3, words: []),
    Row(
      testDescription: "a movie without a header", name: "a.mp4", bytes: movieWithoutHeader,
      kind: .inputUnreadable, exitCode: 3, words: ["moov atom not found"]),
  ]

  @Test(
    "a file that can't be opened has the exit code of its reason, and the reason's words",
    arguments: rows)
  func theReasonIsNamed(row: Row) throws {
    let error = try #require(try MadeMedia(row.name, bytes: Data(row.bytes)).failure())
    #expect(error.kind == row.kind && error.exitCode == row.exitCode, "\(error.message)")
    for word in row.words { #expect(error.message.contains(word), "\(error.message)") }
    for word in ["whitelist", "upload a sample", "memory; try again"] {
      #expect(!error.message.contains(word), "\(error.message)")
    }
  }

  /// RFC 9639, 8.2: blocks have 16 samples or more.
  @Test(
    "a stream information of FLAC with blocks of one sample is damage, not a missing decoder",
    arguments: ["a.flac", "a.mka"])
  func aCodecHeaderThatCantBeTrueIsDamage(name: String) throws {
    let bad = try MadeMedia(name, ["-c:a", "flac"]).altered { data in
      let marker = try #require(data.range(of: Data("fLaC".utf8)))
      let blocks = marker.upperBound + 4
      data.replaceSubrange(blocks..<blocks + 4, with: [0, 1, 0, 1])
    }
    let error = try #require(bad.failure())
    #expect(error.kind == .damaged && error.exitCode == 4)
    #expect(error.message.contains("flac") && error.message.contains("can't be true"))
  }

  /// No file makes libavcodec lack a decoder in each of its builds, so the reasons are asked one by one.
  @Test(
    "a decoder that can't be opened has the exit code of its reason",
    arguments: [
      (-0x4345_44F8, MediaError.Kind.unsupportedCodec, 5), (-0x4557_4150, .unsupportedFeature, 5),
      (-38, .unsupportedFeature, 5), (-0x4144_4E49, .damaged, 4), (-22, .damaged, 4),
      (-1, .damaged, 4),
    ])
  func aDecodersReasonIsNamed(code: Int32, kind: MediaError.Kind, exitCode: Int32) throws {
    let media = try MadeMedia("a.wav", bytes: WAVBytes.pcm16([[1, 2, 3]], rate: 48_000))
    let failure = OpenFailure(
      decoder: "alac", of: try LocalFile(path: media.path), LibAVError(code: code), log: "why")
    #expect(failure.error.kind == kind && failure.error.exitCode == exitCode)
    #expect(failure.error.message.contains("alac"))
  }

  @Test("memory that is short is tried for twice, and only its lack ends with exit code 75")
  func aLackOfMemoryIsTriedForTwice() throws {
    let short = LibAVError(code: -12)
    var tries = 0
    let got = try OpenFailure.again { () throws -> Int in
      tries += 1
      if tries == 1 { throw short }
      return tries
    }
    #expect(got == 2)
    #expect(throws: LibAVError.self) { try OpenFailure.again { () throws -> Int in throw short } }
    #expect(ProcessMemory.canHold(16 << 20) && !ProcessMemory.canHold(1 << 60))
  }

  @Test("a file that can't be opened keeps libav's error as its cause") func libavsErrorIsKept() {
    LibAVLog.install()
    let media = try? MadeMedia("movie.mp4", bytes: Data(OpenFailureTests.movieWithoutHeader))
    #expect(media?.failure()?.cause is LibAVError)
  }

  @Test("a log line of another thread isn't quoted") func anotherThreadsLogLineIsNot() throws {
    LibAVLog.install()
    let movie = try MadeMedia("movie.mp4", bytes: Data(OpenFailureTests.movieWithoutHeader))
    let text = try MadeMedia("text.bin", bytes: Data(repeating: 0x41, count: 4096))
    let path = movie.path
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? MediaFile(path: path)
      done.signal()
    }
    done.wait()
    let found = try #require(text.failure())
    #expect(found.subject == text.path)
    #expect(!found.message.contains("moov"))
    withExtendedLifetime(movie) {}
  }
}
