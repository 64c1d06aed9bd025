// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ISOBMFF

/// The sample entry of subtitles, field by field (3GPP TS 26.245, 5.16 and 5.17).
@Suite struct TimedTextSampleEntryTests {
  @Test(
    "a tx3g entry has white text at the bottom, and display flags where it is forced",
    arguments: [false, true])
  func theTextIsWhiteAndAtTheBottom(isForced: Bool) {
    let font = [0, 0, 0, 23] + Array("ftab".utf8) + [0, 1, 0, 1, 10] + Array("Sans-Serif".utf8)
    let display: [UInt8] = isForced ? [0xC0, 0, 0, 0] : [0, 0, 0, 0]
    // Centred, at the bottom; without a background; in a box of no size, which readers fill in.
    let place: [UInt8] = [1, 0xFF] + [0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0]
    // From the first to the last character, font 1, neither bold nor slanted nor underlined, 18 pixels, opaque white.
    let style: [UInt8] = [0, 0, 0, 0] + [0, 1] + [0] + [18] + [255, 255, 255, 255]
    let body = [0, 0, 0, 0, 0, 0, 0, 1] + display + place + style + font
    let entry = TimedTextSampleEntry(isForced: isForced).encoded
    #expect(entry == [0, 0, 0, UInt8(8 + body.count)] + Array("tx3g".utf8) + body)
  }

  /// Characters of records count in characters, not in bytes, and end before the one that is named (5.17.1.1).
  @Test("a sample has a record for each run of characters that don't look as usual")
  func facesAreRecords() {
    var text = StyledText("é ")
    text.append("it", .italic)
    text.append("fat", [.bold, .underlined])
    let record: ([UInt8]) -> [UInt8] = { $0 + [18, 255, 255, 255, 255] }
    let styles =
      record([0, 2, 0, 4, 0, 1, 2]) + record([0, 4, 0, 7, 0, 1, 5])
    let expected =
      [0, 8] + Array("é itfat".utf8) + [0, 0, 0, 34] + Array("styl".utf8) + [0, 2] + styles
    #expect(TimedTextSampleEntry.sample(text) == expected)
    #expect(TimedTextSampleEntry.sample("é") == [0, 2, 0xC3, 0xA9])
  }

  @Test("records end with a text that is cut at 65535 bytes")
  func cutTextsHaveNoRecordsBehindThem() {
    var text = StyledText(String(repeating: "é", count: 32_767))
    text.append("aé", .bold)
    text.append("b", .italic)
    let sample = TimedTextSampleEntry.sample(text)
    #expect(sample.prefix(2) == [0xFF, 0xFF])
    #expect(sample.suffix(12) == [0x7F, 0xFF, 0x80, 0, 0, 1, 1, 18, 255, 255, 255, 255])
    #expect(sample.count == 2 + 65_535 + 8 + 2 + 12)
  }
}
