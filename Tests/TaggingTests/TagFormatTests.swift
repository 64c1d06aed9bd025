// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Files are known by their content.
@Suite struct TagFormatTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func kind(_ bytes: [UInt8]) throws -> TaggableFile {
    try Data(bytes).write(to: folder.url("a.flac"))
    return try TaggableFile(LocalFile(path: folder.file("a.flac")))
  }

  private static func id3(_ size: UInt8, version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags, 0, 0, 0, size] + [UInt8](repeating: 0, count: Int(size))
  }

  /// A frame of MPEG-1 layer 3 with 128 kbit/s at 44.1 kHz.
  private static let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 413)

  @Test("MP3 is found behind an ID3v2 tag, padding and junk")
  func framesAreFound() throws {
    let sound = TagFormatTests.frame + TagFormatTests.frame + TagFormatTests.frame
    #expect(try kind(sound).format == .mpeg)
    #expect(try kind(TagFormatTests.id3(20) + sound).format == .mpeg)
    #expect(try kind([1, 2, 0xFF, 3] + sound).format == .mpeg)
    #expect(try kind(TagFormatTests.frame).format == .mpeg)
    let tail = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    #expect(try kind(sound + tail).back == 128)
    #expect(try kind(TagFormatTests.id3(20) + sound).front == 0)
  }

  @Test("an ID3v2 tag in front of other formats is told from them")
  func tagsInFront() throws {
    let flac = Array("fLaC".utf8) + [0x80, 0, 0, 34] + [UInt8](repeating: 0, count: 34)
    let found = try kind(TagFormatTests.id3(7) + TagFormatTests.id3(9) + flac)
    #expect(found.format == .flac)
    #expect(found.front == 36)
    #expect(
      try kind(
        TagFormatTests.id3(7, flags: 0x10) + flac.prefix(0)
          + [UInt8](repeating: 0x33, count: 10) + flac
      ).front == 27)
  }

  @Test("sound without a place for tags and files of other kinds are refused with a reason")
  func othersAreRefused() throws {
    let kinds: [([UInt8], String)] = [
      ([], "is none of the kinds"),
      (Array("RF64\0\0\0\0WAVE".utf8), "RF64"), (Array("BW64\0\0\0\0WAVE".utf8), "BW64"),
      ([0, 0, 0, 20] + Array("ftypqt  ".utf8), "QuickTime"),
      ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "Windows Media"),
      ([0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC], "is none of the kinds"),
      ([UInt8](repeating: 0xFF, count: 4000), "is none of the kinds"),
      (Array("OggS".utf8) + [UInt8](repeating: 0, count: 400), "is none of the kinds"),
    ]
    for (bytes, words) in kinds {
      let error = #expect(throws: MediaError.self) { try kind(bytes) }
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.contains(words) == true, "\(words): \(error?.message ?? "")")
    }
  }

  @Test("chunks beyond the end are refused as damage")
  func brokenChunksAreRefused() throws {
    let head = Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVE".utf8)
    let whole = head + Array("data".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
    #expect(try kind(whole).format == .wav)
    let error = #expect(throws: MediaError.self) { try kind(Array(whole.dropLast())) }
    #expect(error?.kind == .damaged)
  }

  @Test("two streams in one Ogg file are refused")
  func multiplexedStreamsAreRefused() throws {
    func page(_ packet: [UInt8]) -> [UInt8] {
      Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 20)
        + [1, UInt8(packet.count)] + packet
    }
    let vorbis = page([1] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 23))
    #expect(try kind(vorbis).format == .oggVorbis)
    let error = #expect(throws: MediaError.self) { try kind(vorbis + vorbis) }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("several streams") == true)
  }
}
