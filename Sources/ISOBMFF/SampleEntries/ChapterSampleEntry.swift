// SPDX-License-Identifier: Apache-2.0

/// The sample entry of a track of chapter titles: `text` (QuickTime File Format, "Text media"), black on
/// black and without a place, because players list the titles and draw none.
package struct ChapterSampleEntry: WritableBox {
  /// The only entry there is.
  package init() {}

  /// Appends `text`. The name of the font, which would follow, is left out: libavformat's muxer does so too, and
  /// the files play on Apple's devices.
  package func append(to builder: inout BoxBuilder) {
    builder.box("text") { entry in
      entry.zeros(6)
      entry.u16(1)
      // Display flags: none. Justification: centred.
      entry.u32(0)
      entry.u32(1)
      // Background colour, box of the text, eight reserved bytes.
      entry.zeros(6 + 8 + 8)
      // Font number and face, three reserved bytes, colour of the text.
      entry.zeros(2 + 2 + 3 + 6)
    }
  }

  /// A sample that holds `title`, cut at 65535 bytes between two characters, and the mark of UTF-8.
  package static func sample(_ title: String) -> [UInt8] {
    let text = CutText.utf8(title, limit: Int(UInt16.max))
    var builder = BoxBuilder()
    builder.u16(text.count)
    builder.append(text)
    // `encd` with 256, the number of UTF-8 among the encodings of QuickTime.
    builder.box("encd") { $0.u32(0x100) }
    return builder.bytes
  }
}
