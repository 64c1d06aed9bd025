// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Testing

@testable import PlayQueue

/// The bytes are those that Python's codecs give.
@Suite struct TextEncodingTests {
  private static let rows: [(name: String, bytes: [UInt8], text: String)] = [
    // The last character's second byte is that of a backslash.
    ("Shift-JIS", [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x95, 0x5C], "テスト表"),
    ("cp932", [0x83, 0x65], "テ"), ("gbk", [0xD2, 0xF4, 0xC0, 0xD6], "音乐"),
    ("gb18030", [0xD2, 0xF4, 0xC0, 0xD6], "音乐"), ("big5", [0xAD, 0xB5, 0xBC, 0xD6], "音樂"),
    ("euc-kr", [0xC0, 0xBD, 0xBE, 0xC7], "음악"),
  ]

  @Test(
    "a cue sheet in an East Asian encoding is read as Python's codecs read it",
    arguments: rows.indices)
  func asianListsAreRead(row: Int) throws {
    let (name, bytes, text) = TextEncodingTests.rows[row]
    let encoding = try TextEncoding.named(name)
    // musl knows fewer encodings than glibc.
    guard TextConversion.utf8([0x41], from: "CP932") != nil else { return }
    let folder = ListFolder(exists: { $0 == text + ".wav" }, list: { _ in [text + ".wav"] })
    let sheet =
      Array("FILE \"".utf8) + bytes + Array(".wav\" WAVE\nTRACK 01 AUDIO\nTITLE ".utf8) + bytes
      + Array("\nINDEX 01 00:00:00\n".utf8)
    let read = try CueSheet(sheet, encoding: encoding, in: folder)
    #expect(read.files == [text + ".wav"])
    #expect(read.tracks.first?.names.title == text)
  }

  @Test("bytes that Shift-JIS doesn't have are refused with the line and the encoding")
  func bytesThatTheEncodingDoesntHaveAreRefusedByLine() {
    let sheet = Array("REM a\nTITLE ".utf8) + [0x83, 0x20, 0xFF] + Array("\n".utf8)
    let folder = ListFolder(exists: { _ in true }, list: { _ in [] })
    #expect {
      try CueSheet(sheet, encoding: .shiftJIS, in: folder)
    } throws: { error in
      let refusal = error as? ListError
      return refusal?.line == 2 && refusal?.message.contains("shift-jis") == true
    }
  }
}
