// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Tags and titles that aren't UTF-8: RIFF and ID3v1 hold what their writer's system used, and a file may hold anything.
@Suite(.tags(.system)) struct TagTextTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Code page that `CSET` states; `nil` without that chunk.
    let page: UInt16?
    let bytes: [UInt8]
    let title: String
    /// The encoding that is reported, and a word of the reason; `nil` where nothing is.
    let report: (encoding: String, word: String)?
  }

  /// The bytes are those that Python's codecs give.
  static let rows = [
    Row(
      testDescription: "ISO 8859-1", page: nil,
      bytes: [0x43, 0x61, 0x66, 0xE9, 0x20, 0x64, 0x27, 0xE9, 0x74, 0xE9],
      title: "Café d'été", report: ("windows-1252", "no code page")),
    Row(
      testDescription: "Windows-1252", page: nil, bytes: [0x80, 0x20, 0x93, 0x78, 0x94],
      title: "€ “x”", report: ("windows-1252", "no code page")),
    Row(
      testDescription: "one letter at the end", page: nil, bytes: [0x43, 0x61, 0x66, 0xE9],
      title: "Café", report: ("windows-1252", "no code page")),
    Row(
      testDescription: "page 0, which is none", page: 0, bytes: [0x43, 0x61, 0x66, 0xE9],
      title: "Café", report: ("windows-1252", "no code page")),
    Row(
      testDescription: "page 1251", page: 1251, bytes: [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2],
      title: "Привет", report: ("windows-1251", "code page 1251")),
    Row(
      testDescription: "page 932", page: 932,
      bytes: [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x95, 0x5C], title: "テスト表",
      report: ("shift-jis", "code page 932")),
    Row(
      testDescription: "page 850, which isn't known", page: 850, bytes: [0x43, 0x61, 0x66, 0xE9],
      title: "Café", report: ("windows-1252", "code page 850")),
    Row(
      testDescription: "UTF-8 beside a page", page: 1251, bytes: Array("Café 日本".utf8),
      title: "Café 日本", report: nil),
    Row(
      testDescription: "UTF-8 that ends within a character", page: nil,
      bytes: Array("Café 日本".utf8.dropLast()), title: "Café 日", report: nil),
    Row(testDescription: "ASCII", page: nil, bytes: Array("Cafe".utf8), title: "Cafe", report: nil),
  ]

  /// A chunk of RIFF.
  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
    return Array(name.utf8) + size + content + (content.count % 2 == 0 ? [] : [0])
  }

  /// Checks the title of a file, and what is reported of it.
  private func expect(
    _ media: MadeMedia, title: String, _ report: (encoding: String, word: String)?
  ) throws {
    let file = try MediaFile(path: media.path)
    #expect(file.metadata["title"] == title)
    let decoded = try media.decode()
    #expect(decoded.degradations.isEmpty)
    let decisions = decoded.decisions.filter { $0.code == .metadata }
    #expect(decisions.map(\.chose) == (report.map { ["read as \($0.encoding)"] } ?? []))
    if let report { #expect(decisions.allSatisfy { $0.why.contains(report.word) }) }
  }

  @Test("a title in the INFO list of a WAV has its own characters", arguments: rows.indices)
  func titlesOfRIFFAreRead(index: Int) throws {
    let row = TagTextTests.rows[index]
    // musl knows fewer encodings than glibc.
    if row.page == 932, TextConversion.utf8([0x41], from: "CP932") == nil { return }
    let info = chunk("LIST", Array("INFO".utf8) + chunk("INAM", row.bytes + [0]))
    let set = row.page.map { chunk("CSET", [UInt8($0 & 255), UInt8($0 >> 8), 0, 0, 0, 0, 0, 0]) }
    // The chunk of the page may stand anywhere; here it follows the samples.
    let plane = [Int16](repeating: 5, count: 4800)
    var data = WAVBytes.pcm16([plane], rate: 48_000)
    data.insert(contentsOf: info, at: 36)
    data += set ?? []
    let size = UInt32(data.count - 8)
    data.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
    try expect(try MadeMedia("a.wav", bytes: data), title: row.title, row.report)
  }

  @Test("a title in ID3v1 has its own characters, and UTF-8 that is cut after 30 bytes ends whole")
  func titlesOfID3v1AreRead() throws {
    let good = try MadeMedia("a.mp3", ["-c:a", "libmp3lame", "-id3v2_version", "0"], seconds: 1)
    func tagged(_ title: [UInt8]) throws -> MadeMedia {
      try good.altered { data in
        let field = title.prefix(30) + [UInt8](repeating: 0, count: max(0, 30 - title.count))
        data += Array("TAG".utf8) + field + [UInt8](repeating: 0, count: 95)
      }
    }
    try expect(
      try tagged([0x43, 0x61, 0x66, 0xE9]), title: "Café", ("windows-1252", "no code page"))
    // Each character takes three bytes, so that an ASCII letter in front shifts the cut into the tenth.
    try expect(
      try tagged(Array("x日本語日本語日本語日".utf8)), title: "x日本語日本語日本語", nil)
  }

  @Test("a title in the NAME chunk of an AIFF has its own characters")
  func titlesOfAIFFAreRead() throws {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(content.count, 4) + content
    }
    // 48,000 as an 80-bit float.
    let rate = big(0x400E, 2) + big(0xBB80, 2) + big(0, 6)
    let common = big(1, 2) + big(4800, 4) + big(16, 2) + rate
    let form =
      Array("AIFF".utf8) + chunk("NAME", [0x43, 0x61, 0x66, 0xE9]) + chunk("COMM", common)
      + chunk("SSND", big(0, 8) + big(0, 9600))
    let media = try MadeMedia("a.aiff", bytes: Data(chunk("FORM", form)))
    try expect(media, title: "Café", ("windows-1252", "no code page"))
  }

  /// The standards demand UTF-8 there, but files exist that hold something else.
  @Test("titles of tracks and chapters have their own characters, and one decision reports all")
  func titlesOfTracksAndChaptersAreRead() throws {
    func latin(_ name: String, _ arguments: [String]) throws -> MadeMedia {
      try MadeMedia(name, ["-c:a", "flac"] + arguments).altered { data in
        while let place = data.range(of: Data("Cafe".utf8)) {
          data.replaceSubrange(place, with: [0x43, 0x61, 0x66, 0xE9])
        }
      }
    }
    let chapters = try latin(
      "a.flac",
      [
        "-metadata", "CHAPTER001=00:00:01.000", "-metadata", "CHAPTER001NAME=Cafe", "-metadata",
        "title=Cafe",
      ])
    #expect(try MediaFile(path: chapters.path).chapters.map(\.title) == ["Café"])
    try expect(chapters, title: "Café", ("windows-1252", "no code page"))
    let track = try latin("a.mka", ["-write_crc32", "0", "-metadata:s:a:0", "title=Cafe"])
    #expect(try MediaFile(path: track.path).streams.map { $0.metadata["title"] } == ["Café"])
  }
}
