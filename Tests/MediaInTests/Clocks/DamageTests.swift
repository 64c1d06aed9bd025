// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite(.tags(.system), .fullRunOnly) struct DamageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    /// Samples by which a concealed decode may differ in length.
    let slack: Int
    /// Bytes at a packet's start that stay intact. MP3 needs damage near the start, because its decoder
    /// notices none behind the side information.
    var intact = 60
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "aac.m4a", arguments: ["-c:a", "aac", "-aac_pns", "0"], slack: 0),
    Row(name: "aac.mkv", arguments: ["-c:a", "aac", "-aac_pns", "0"], slack: 0),
    Row(name: "flac.flac", arguments: ["-c:a", "flac"], slack: 0),
    Row(name: "flac.mkv", arguments: ["-c:a", "flac"], slack: 0),
    Row(name: "eac3.mp4", arguments: ["-c:a", "eac3"], slack: 0),
    Row(name: "eac3.mkv", arguments: ["-c:a", "eac3"], slack: 0),
    Row(name: "mp3.mkv", arguments: ["-c:a", "libmp3lame"], slack: 0, intact: 6),
    Row(name: "ac3.ac3", arguments: ["-c:a", "ac3"], slack: 1536),
    Row(name: "eac3.eac3", arguments: ["-c:a", "eac3"], slack: 1536),
    Row(name: "mp3.mp3", arguments: ["-c:a", "libmp3lame"], slack: 1152, intact: 6),
    Row(name: "aac.aac", arguments: ["-c:a", "aac", "-aac_pns", "0"], slack: 1024),
  ]

  static var conceal: InputOptions {
    var options = InputOptions()
    options.damage = .conceal
    return options
  }

  /// Correlation of the last samples of two signals. Bits can't be compared, because some decoders dither.
  static func likeness(_ left: [Float], _ right: [Float], last count: Int) -> Double {
    let pairs = zip(left.suffix(count), right.suffix(count)).map { (Double($0), Double($1)) }
    let product = pairs.reduce(0) { $0 + $1.0 * $1.1 }
    let powers = pairs.reduce(0) { $0 + $1.0 * $1.0 } * pairs.reduce(0) { $0 + $1.1 * $1.1 }
    return powers > 0 ? product / powers.squareRoot() : 0
  }

  @Test(
    "damage in the middle is refused, and the error names the file and decoding.damage conceal",
    arguments: rows)
  func damageInTheMiddleFails(row: Row) throws {
    let bad = try MadeMedia(row.name, row.arguments).damagedPackets(count: 3, intact: row.intact)
    let error = bad.failure()
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains("decoding.damage conceal") == true)
    #expect(error?.message.contains(bad.path) == true)
  }

  @Test("concealed damage keeps length and place of all samples", arguments: rows)
  func concealedDamageKeepsLengthAndPlace(row: Row) throws {
    let good = try MadeMedia(row.name, row.arguments)
    let bad = try good.damagedPackets(count: 3, intact: row.intact)
    let wanted = try good.decode()
    let result = try bad.decode(DamageTests.conceal)
    #expect(result.kinds.contains("decode-errors"))
    #expect(abs(result.count - wanted.count) <= row.slack)
    #expect(
      result.summary.decoded == result.summary.startTrim + Int64(result.count)
        + result.summary.endTrim)
    // Sound well before and well after the damage keeps its place.
    let isSameBefore = result.planes[0].prefix(20_000) == wanted.planes[0].prefix(20_000)
    let likeness = DamageTests.likeness(result.planes[0], wanted.planes[0], last: 20_000)
    #expect(isSameBefore)
    #expect(likeness > 0.9)
  }

  /// Whole packets are missing with their headers; only the container's times show how much.
  @Test(
    "2500 damaged bytes of Matroska, concealed, keep the length within a frame and the end in its place",
    arguments: [
      ["libmp3lame", "1152"], ["eac3", "1536"], ["aac", "1024"], ["flac", "4608"],
    ])
  func lostPacketsAreMadeUpForByTheClock(row: [String]) throws {
    let good = try MadeMedia(
      "a.mkv", ["-c:a", row[0], "-aac_pns", "0", "-cluster_time_limit", "200"])
    let wanted = try good.decode()
    let result = try good.damaged(count: 2500).decode(DamageTests.conceal)
    let frame = try #require(Int(row[1]))
    #expect(abs(result.count - wanted.count) < frame)
    #expect(!result.kinds.isEmpty)
    #expect(DamageTests.likeness(result.planes[0], wanted.planes[0], last: 20_000) > 0.9)
  }

  /// Several frames, headers included: some versions of libavformat join them to one packet without a time, of
  /// which nothing behind the first fault is decoded. Each frame's number shows what is missing.
  @Test(
    "9000 damaged bytes of FLAC, concealed, keep the exact length and the first samples",
    arguments: [0.5, 0.985])
  func lostFLACFramesAreMadeUpForByTheirNumbers(share: Double) throws {
    let good = try MadeMedia("a.flac", ["-c:a", "flac"])
    let wanted = try good.decode()
    let bad = try good.altered { data in
      let start = Int(Double(data.count) * share)
      for index in start..<min(data.count, start + 9000) { data[index] ^= 0x5A }
    }
    let result = try bad.decode(DamageTests.conceal)
    #expect(result.count == wanted.count)
    #expect(result.kinds.contains("decode-errors"))
    let isSameBefore = result.planes[0].prefix(20_000) == wanted.planes[0].prefix(20_000)
    #expect(isSameBefore)
    if share < 0.9 {
      let isSameAfter = result.planes[0].suffix(20_000) == wanted.planes[0].suffix(20_000)
      #expect(isSameAfter)
    }
  }

  @Test("a damaged FLAC frame in Matroska becomes silence, and no other sample changes")
  func aLostFrameIsSilence() throws {
    let good = try MadeMedia("a.mkv", ["-c:a", "flac"])
    let result = try good.damagedPackets().decode(DamageTests.conceal)
    let run = result.planes[0].reduce((longest: 0, now: 0)) { state, sample in
      let now = sample == 0 ? state.now + 1 : 0
      return (max(state.longest, now), now)
    }
    #expect(run.longest >= 4096)
    let wanted = try good.decode().planes[0]
    let differing = zip(result.planes[0], wanted).count { $0 != $1 }
    #expect(differing <= run.longest)
  }

  @Test("four damaged spots in AAC are concealed and reported, and the length stays the same")
  func severalSpotsAreAllConcealed() throws {
    let good = try MadeMedia("a.m4a", ["-c:a", "aac", "-aac_pns", "0"], seconds: 6)
    var bad = good
    for share in [0.2, 0.4, 0.6, 0.8] { bad = try bad.damagedPackets(at: share) }
    let result = try bad.decode(DamageTests.conceal)
    #expect(result.count == 6 * 48_000)
    #expect(result.degradations.count { $0.code == .decodeErrors } >= 4)
  }

  @Test(
    "damage of the first FLAC frame is reported as a damaged start, and the end keeps its samples")
  func damageAtTheStartIsReported() throws {
    let good = try MadeMedia("a.mkv", ["-c:a", "flac"])
    let bad = try good.altered { data in
      let start = try #require(data.range(of: Data([0xFF, 0xF8]))?.lowerBound)
      for index in start + 10..<start + 60 { data[index] ^= 0x55 }
    }
    let result = try bad.decode()
    #expect(result.kinds.contains("damaged-start"))
    #expect(result.count < 96_000)
    let wanted = try good.decode()
    let isSame = result.planes[0].suffix(50_000) == wanted.planes[0].suffix(50_000)
    #expect(isSame)
  }

  @Test("a file cut at 71 % decodes, and is truncated or shorter than it states", arguments: rows)
  func aCutEndIsTruncatedNotAnError(row: Row) throws {
    let arguments =
      row.arguments
      + (row.name.hasSuffix(".m4a") || row.name.hasSuffix(".mp4")
        ? ["-movflags", "faststart"] : [])
    let good = try MadeMedia(row.name, arguments)
    let result = try good.cut(at: 0.71).decode()
    // Nothing in the last bytes of an MP3 file shows a cut, but the header counts the frames.
    let missing = (result.declared ?? 0) - result.summary.decoded
    #expect(result.kinds.contains("truncated") || row.name == "mp3.mp3" && missing > 20_000)
    #expect(!result.kinds.contains("decode-errors"))
    #expect(result.count < 80_000)
    #expect(result.count > 60_000)
  }

  /// Recordings of broadcasts end anywhere. The container marks the whole packet as corrupt that was cut.
  @Test(
    "a transport stream that ends inside a packet of many frames keeps all whole frames",
    arguments: [["-c:a", "mp2"], ["-c:a", "aac"], ["-c:a", "ac3"]])
  func whatRemainsOfTheLastPacketIsSound(codec: [String]) throws {
    let good = try MadeMedia("a.ts", codec + ["-b:a", "192k", "-pes_payload_size", "16000"])
    let whole = try good.decode()
    let size = try good.bytes().count
    for cut in stride(from: 3, to: 120, by: 9) {
      let rest = try good.altered { $0 = $0.prefix(size - 188 * cut) }.decode()
      #expect(rest.kinds.isSubset(of: ["truncated"]))
      // A tenth more than the bytes that are missing, and two frames.
      let lost = 188 * cut * 8 * 48 / 192 * 11 / 10 + 2 * 1536
      #expect(rest.count >= whole.count - lost)
      // libavcodec decodes what is there of the frame that was cut.
      let intact = rest.count - 2 * 1536
      #expect(rest.planes[0].prefix(intact).elementsEqual(whole.planes[0].prefix(intact)))
    }
  }

  /// Nothing can be decoded after the damage, but too much is lost for a truncated end.
  @Test(
    "a file whose last 65 % can't be decoded is refused as damaged",
    arguments: ["aac.mkv", "flac.mkv", "eac3.mp4", "aac.m4a"])
  func aLongRestThatCantBeDecodedFails(name: String) throws {
    let row = try #require(DamageTests.rows.first { $0.name == name })
    let good = try MadeMedia(row.name, row.arguments, seconds: 6)
    let error = try good.damagedPackets(at: 0.35, count: nil, intact: 12).failure()
    #expect(error?.kind == .damaged)
  }

  @Test(
    "damage of the last packet is reported as truncated at most",
    arguments: ["flac.mkv", "eac3.mkv"])
  func damageOfTheLastMomentIsTruncated(name: String)
    throws
  {
    let row = try #require(DamageTests.rows.first { $0.name == name })
    let good = try MadeMedia(row.name, row.arguments, seconds: 6)
    let result = try good.damagedPackets(at: 0.999, count: 1).decode()
    #expect(result.kinds.isSubset(of: ["truncated"]))
  }

  @Test(
    "a WAV cut within a frame keeps its 30,000 whole frames and is reported as truncated",
    arguments: [1, 2, 3])
  func aCutWAVIsTruncatedNotAnError(extra: Int) throws {
    let bytes = WAVBytes.pcm16(
      [[Int16](repeating: 7, count: 50_000), [Int16](repeating: 7, count: 50_000)], rate: 48_000)
    let media = try MadeMedia("a.wav", bytes: bytes.prefix(44 + 4 * 30_000 + extra))
    let result = try media.decode()
    #expect(result.count == 30_000)
    #expect(result.kinds == ["truncated"])
  }

  @Test("E-AC-3 in which nothing can be decoded is refused, with and without concealment")
  func nothingDecodableIsAnError() throws {
    let good = try MadeMedia("a.mkv", ["-c:a", "eac3"], seconds: 1)
    let bad = try good.altered { data in
      let start = try #require(data.range(of: Data([0x0B, 0x77]))?.lowerBound)
      for index in start + 8..<data.count { data[index] ^= UInt8(truncatingIfNeeded: index | 1) }
    }
    let kinds: [MediaError.Kind] = [.damaged, .inputUnreadable, .noAudio, .unsupportedCodec]
    for options in [InputOptions(), DamageTests.conceal] {
      #expect(bad.failure(options).map { kinds.contains($0.kind) } == true)
    }
  }
}
