// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Peculiarities of formats: versions of ID3v2, tags beside the own one, gains in headers, and losses that are told.
@Suite struct TagDetailTests {
  private static let tags = LoudnessTags(trackGain: -3.45, trackPeak: 0.5)

  private let folder: TemporaryFolder
  private var path: String { folder.file("a") }

  init() throws { folder = try TemporaryFolder() }

  /// Writes `bytes`, tags them, and gives back how it ended and the bytes then.
  private func tagged(
    _ bytes: [UInt8], _ digest: TagReplacement.SoundDigest = { _ in [] }
  ) throws -> (TagReplacement.Outcome, [UInt8]) {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let outcome = try TagReplacement(TagDetailTests.tags).apply(to: path, digest: digest)
    #expect(
      try TagReplacement(TagDetailTests.tags).apply(to: path, digest: digest) == .unchanged)
    return (outcome, Array(try TaggedMedia.bytes(path)))
  }

  /// An ID3v2 tag of version 2, 3 or 4 whose frames have less than 128 bytes.
  private func id3(_ version: UInt8, _ frames: [(String, [UInt8])]) -> [UInt8] {
    let body = frames.flatMap { id, content in
      let size = UInt8(content.count)
      return Array(id.utf8) + (version == 2 ? [0, 0, size] : [0, 0, 0, size, 0, 0]) + content
    }
    return Array("ID3".utf8) + [version, 0, 0, 0, 0, 0, UInt8(body.count)] + body
  }

  private func latin(_ text: String) -> [UInt8] { [0] + Array(text.utf8) }

  @Test(
    "the version of ID3v2 stays; without a tag it is 2.3",
    arguments: [(nil, 3), (3, 3), (4, 4)] as [(UInt8?, UInt8)])
  func versionsStay(old: UInt8?, new: UInt8) throws {
    let tag = old.map { id3($0, [("TIT2", latin("x"))]) } ?? []
    let (outcome, bytes) = try tagged(tag + PlainSound.bytes(), PlainSound.digest)
    #expect(outcome == .replaced(notes: []))
    #expect(bytes[3] == new)
    #expect(bytes.suffix(417 * 300).elementsEqual(PlainSound.bytes()))
  }

  @Test("ID3v2.2 becomes 2.3, and frames that TagLib drops are named")
  func lossesAreTold() throws {
    let picture: [UInt8] = [0] + Array("PNG".utf8) + [3] + Array("front\0".utf8) + [0x89, 0, 7]
    let old = id3(
      2,
      [
        ("TT2", latin("x")), ("TYE", latin("1999")), ("PIC", picture), ("TSI", latin("9")),
        ("COM", latin("engd\0text")),
      ])
    let (outcome, bytes) = try tagged(old + PlainSound.bytes(), PlainSound.digest)
    #expect(bytes[3] == 3)
    let version = "Its tag was ID3v2.2, which can't be written, and is ID3v2.3 now."
    #expect(outcome == .replaced(notes: ["Its tag TSIZ isn't kept as it was.", version]))

    // TagLib 2 loses the frame of a text of any name, so the file is left as it is.
    let named = id3(2, [("TT2", latin("x")), ("TXX", latin("a\0b"))]) + PlainSound.bytes()
    do {
      let (_, bytes) = try tagged(named, PlainSound.digest)
      #expect(bytes.contains(latin("a\0b")))
    } catch let error as MediaError {
      #expect(error.message.contains("has tags that can't be kept (a)"))
      #expect(Array(try TaggedMedia.bytes(path)) == named)
    }

    let sized = id3(3, [("TSIZ", latin("9")), ("TIT2", latin("x")), ("TYER", latin("1999"))])
    let (second, _) = try tagged(sized + PlainSound.bytes(), PlainSound.digest)
    #expect(second == .replaced(notes: ["Its tag TSIZ isn't kept as it was."]))
  }

  @Test("tags that TagLib would lose are a reason to refuse, unless they may go")
  func lossesAreRefused() throws {
    let old = id3(3, [("TRDA", latin("May")), ("TIT2", latin("x"))]) + PlainSound.bytes()
    try Data(old).write(to: URL(fileURLWithPath: path))
    func apply(_ options: TagReplacement.Options) throws -> TagReplacement.Outcome {
      try TagReplacement(TagDetailTests.tags, options: options).apply(
        to: path, digest: PlainSound.digest)
    }
    let error = #expect(throws: MediaError.self) { try apply(.init()) }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("(TRDA)") == true)
    #expect(try TaggedMedia.bytes(path).elementsEqual(old))
    #expect(try apply(.init(losesTags: true)) == .replaced(notes: ["Its tag TRDA is lost."]))
  }

  @Test(
    "a genre by number becomes one by name in MP4, which is told",
    .tags(.system), .fullRunOnly,
    .enabled(if: TagScript.isInstalled, TagScript.absence))
  func genresAreRenamed() throws {
    let row = try #require(TaggedMedia.rows.first { $0.format == .mp4 })
    try TaggedMedia.make(row, at: path)
    try TagScript.write("some", to: path)
    var bytes = Array(try TaggedMedia.bytes(path))
    // The title becomes the genre 17, with a box behind it that fills the place.
    let item = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0xA9] + Array("nam".utf8)) })
    let size = Int(bytes.bigEndian32(at: item - 4))
    let genre =
      UInt32(26).bigEndianBytes + Array("gnre".utf8) + UInt32(18).bigEndianBytes
      + Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 0, 18]
    try #require(size >= genre.count)
    let rest = size - genre.count
    let filler = rest >= 8 ? UInt32(rest).bigEndianBytes + Array("free".utf8) : []
    try #require(rest == 0 || rest >= 8)
    bytes.replaceSubrange(
      item - 4..<item - 4 + size,
      with: genre + filler + [UInt8](repeating: 0, count: rest - filler.count))
    let (outcome, _) = try tagged(bytes)
    #expect(outcome == .replaced(notes: ["Its tag gnre isn't kept as it was."]))
  }

  @Test("frames that state a gain in ID3v2's own form go, because players would add both")
  func volumeFramesGo() throws {
    let gain: [UInt8] = Array("track".utf8) + [0, 1, 0xFC, 0, 0]
    let old = id3(4, [("RVA2", gain), ("TIT2", latin("x"))])
    let (outcome, bytes) = try tagged(old + PlainSound.bytes(), PlainSound.digest)
    #expect(outcome == .replaced(notes: []))
    let frames = ID3Frames(bytes).frames.map { $0.description ?? $0.id }
    #expect(frames == ["TIT2", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK"])
  }

  /// An APE tag with a footer only, as mp3gain writes it.
  private func ape(_ items: [(String, String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (key, value) in items {
      bytes += UInt32(value.utf8.count).littleEndianBytes + [0, 0, 0, 0]
      bytes += Array(key.utf8) + [0] + Array(value.utf8)
    }
    let size = UInt32(bytes.count + 32)
    bytes += Array("APETAGEX".utf8)
    for number in [2000, size, UInt32(items.count), 0, 0, 0] { bytes += number.littleEndianBytes }
    return bytes
  }

  private let id3v1 = Array("TAGtitle".utf8) + [UInt8](repeating: 0x20, count: 119) + [0xFF]

  @Test("an APE tag behind MP3 loses stale gains and nothing else, and ID3v1 stays")
  func tagsBesideOthers() throws {
    let items = [
      ("replaygain_track_gain", "+9.00 dB"), ("MP3GAIN_UNDO", "+003,+003,N"), ("Title", "x"),
    ]
    let (outcome, bytes) = try tagged(PlainSound.bytes() + ape(items) + id3v1) { file in
      let bytes = try file.wholeContent()
      let start = bytes.starts(with: "ID3".utf8) ? 10 + Int(ID3Frames.size(bytes[6..<10])) : 0
      return Array(bytes[start..<start + 417 * 300])
    }
    #expect(outcome == .replaced(notes: []))
    #expect(bytes.suffix(128).elementsEqual(id3v1))
    let text = String(decoding: bytes.suffix(600), as: UTF8.self).uppercased()
    #expect(text.contains("MP3GAIN_UNDO") && text.contains("TITLE"))
    #expect(!text.contains("REPLAYGAIN"))
    let stored = try StoredLoudness(path: path)
    #expect(stored.replayGain == TagDetailTests.tags)
  }

  /// A FLAC file without sound: STREAMINFO, and comments where there are any.
  private func flac(_ comments: [String]) -> [UInt8] {
    func text(_ text: String) -> [UInt8] {
      UInt32(text.utf8.count).littleEndianBytes + Array(text.utf8)
    }
    let block = text("vendor") + UInt32(comments.count).littleEndianBytes + comments.flatMap(text)
    let head = Array("fLaC".utf8) + [0, 0, 0, 34] + [UInt8](repeating: 1, count: 34)
    return head + [0x84, 0, 0, UInt8(block.count)] + block + [0xFF, 0xF8, 1, 2, 3]
  }

  @Test("tags around FLAC stay byte for byte")
  func tagsAroundFLAC() throws {
    let front = id3(3, [("TSIZ", latin("9")), ("TXXX", latin("a\0b"))])
    let (outcome, bytes) = try tagged(front + flac(["TITLE=x"]) + id3v1)
    #expect(outcome == .replaced(notes: []))
    #expect(bytes.starts(with: front))
    #expect(bytes.suffix(133).elementsEqual([0xFF, 0xF8, 1, 2, 3] + id3v1))
  }

  @Test("comments that TagLib drops are named")
  func emptyCommentsAreTold() throws {
    let (outcome, _) = try tagged(flac(["title=x", "EMPTY=", "TITLE=y"]))
    #expect(outcome == .replaced(notes: ["Its tag EMPTY isn't kept as it was."]))
  }

  @Test(
    "the output gain of Opus stays and is told, and a chain as well",
    .tags(.system), .fullRunOnly,
    .enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg isn't installed"))
  func opusHeadersStay() throws {
    let row = try #require(TaggedMedia.rows.first { $0.format == .oggOpus })
    try TaggedMedia.make(row, at: path)
    var bytes = Array(try TaggedMedia.bytes(path))
    // Q7.8 of -2.5 dB; the page's checksum is wrong then, which TagLib doesn't look at.
    bytes.replaceSubrange(44..<46, with: Int16(-640).littleEndianBytes)
    let (outcome, after) = try tagged(bytes)
    let gain = "Its header has an output gain of -2.50 dB, which players add to the tags'."
    #expect(outcome == .replaced(notes: [gain]))
    #expect(after[44..<46].elementsEqual(Int16(-640).littleEndianBytes))
    #expect(try StoredLoudness(path: path).outputGain == -2.5)

    var second = bytes
    // Serial number of the last page.
    let page = try #require(second.indices.last { second[$0...].starts(with: "OggS".utf8) })
    second.replaceSubrange(page + 14..<page + 18, with: [9, 9, 9, 9])
    let chain = try tagged(bytes + second).0
    #expect(
      chain
        == .replaced(notes: [
          gain, "It is a chain of several streams, of which only the first has the tags.",
        ]))
  }

  @Test("other chunks of WAV stay byte for byte")
  func chunksStay() throws {
    let list =
      Array("LIST".utf8) + [20, 0, 0, 0] + Array("INFOINAM".utf8) + [7, 0, 0, 0]
      + Array("a name\0".utf8) + [0]
    let odd = Array("bext".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
    let sound = Array("data".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
    let body = Array("WAVE".utf8) + odd + sound + list
    let wav = Array("RIFF".utf8) + UInt32(body.count).littleEndianBytes + body
    let (outcome, bytes) = try tagged(wav)
    #expect(outcome == .replaced(notes: []))
    #expect(bytes[8..<wav.count].elementsEqual(body))
    #expect(bytes[wav.count...].starts(with: "ID3 ".utf8))
    #expect(bytes.littleEndian(UInt32.self, at: 4) == UInt32(bytes.count - 8))
  }
}
