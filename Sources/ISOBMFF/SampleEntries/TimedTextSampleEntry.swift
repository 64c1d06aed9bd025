// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The sample entry of 3GPP timed text (3GPP TS 26.245, 5.16): white text without a background, at
/// the bottom.
package struct TimedTextSampleEntry: WritableBox {
  /// Size of all characters in pixels.
  private static let size = 18

  private let isForced: Bool

  /// An entry; `isForced` marks all samples as forced.
  package init(isForced: Bool = false) { self.isForced = isForced }

  /// Appends `tx3g` with its font table.
  package func append(to builder: inout BoxBuilder) {
    builder.box("tx3g") { entry in
      entry.zeros(6)
      entry.u16(1)
      // displayFlags: some or all samples are forced (QuickTime File Format, "Subtitle").
      entry.u32(isForced ? UInt32(0xC000_0000) : 0)
      // Justification: centred, and at the bottom (−1).
      entry.u8(1)
      entry.u8(255)
      entry.zeros(4)
      entry.zeros(8)
      // Style: all characters, font 1, 18 pixels, opaque white.
      entry.zeros(4)
      entry.u16(1)
      entry.u8(0)
      entry.u8(TimedTextSampleEntry.size)
      entry.u32(UInt32.max)
      entry.box("ftab") { fonts in
        fonts.u16(1)
        fonts.u16(1)
        let name = Array("Sans-Serif".utf8)
        fonts.u8(name.count)
        fonts.append(name)
      }
    }
  }

  /// A sample that shows `text` with its bold, italic and underlined characters, nothing when it is empty; longer texts are cut
  /// at 65535 bytes.
  package static func sample(_ text: StyledText) -> [UInt8] {
    let bytes = CutText.utf8(text.plain, limit: Int(UInt16.max))
    var builder = BoxBuilder()
    builder.u16(bytes.count)
    builder.append(bytes)
    let styles = styles(
      of: text, characters: String(decoding: bytes, as: UTF8.self).unicodeScalars.count)
    if !styles.isEmpty {
      builder.box("styl") { box in
        box.u16(styles.count)
        for style in styles {
          box.u16(style.range.lowerBound)
          box.u16(style.range.upperBound)
          box.u16(1)
          box.u8(Int(style.face.rawValue))
          box.u8(size)
          box.u32(UInt32.max)
        }
      }
    }
    return builder.bytes
  }

  /// The characters that don't look as usual, of the first `characters`; they count in scalars (3GPP TS 26.245, 5.17.1.1).
  private static func styles(
    of text: StyledText, characters: Int
  ) -> [(range: Range<Int>, face: StyledText.Face)] {
    var position = 0
    return text.runs.compactMap { run in
      let begin = position
      position += run.text.unicodeScalars.count
      guard !run.face.isEmpty, begin < characters else { return nil }
      return (begin..<min(position, characters), run.face)
    }
  }
}
