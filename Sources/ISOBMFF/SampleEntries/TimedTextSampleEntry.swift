/// The sample entry of 3GPP timed text (3GPP TS 26.245, 5.16): white text without a background, at
/// the bottom.
package struct TimedTextSampleEntry: WritableBox {
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
      entry.u8(18)
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

  /// A sample that shows `text`, nothing when it is empty; longer texts are cut at 65535 bytes.
  package static func sample(_ text: String) -> [UInt8] {
    let bytes = CutText.utf8(text, limit: Int(UInt16.max))
    return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
  }
}
