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
}
