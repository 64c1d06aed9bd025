/// The fields all audio sample entries begin with, version 0 (ISO/IEC 14496-12, 12.2.3).
///
/// The rate field has 16 bits before the point. Beyond 65535 Hz the standard's `srat` box needs
/// version 1 entries, which older readers take for QuickTime's; so the field is 0 there, and readers
/// use the codec's own configuration or the track's timescale, which must be the sample rate.
package struct AudioSampleEntry: WritableBox, Equatable {
  /// Four-character code of the coding.
  package var format: String
  /// Channels, 1…65535.
  package var channels: Int
  /// Bits of a sample; 16 for codings that have no such number.
  package var bitsPerSample: Int
  /// Value of the rate field in Hz; written as 0 beyond 65535.
  package var sampleRate: Int
  /// Complete boxes after the fields.
  package var boxes: [UInt8]

  /// An entry of the given fields.
  package init(
    format: String, channels: Int, bitsPerSample: Int = 16, sampleRate: Int, boxes: [UInt8] = []
  ) {
    self.format = format
    self.channels = channels
    self.bitsPerSample = bitsPerSample
    self.sampleRate = sampleRate
    self.boxes = boxes
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) {
    builder.box(format) { box in
      box.zeros(6)
      box.u16(1)
      box.zeros(8)
      box.u16(channels)
      box.u16(bitsPerSample)
      box.zeros(4)
      box.fixed16((0...65_535).contains(sampleRate) ? sampleRate : 0)
      box.append(boxes)
    }
  }
}
