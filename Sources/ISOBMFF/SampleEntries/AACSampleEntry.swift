/// An AAC track's sample entry: `mp4a` with `esds` (ISO/IEC 14496-14, 5.6; the descriptors are
/// ISO/IEC 14496-1, 7.2.6).
package struct AACSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - configuration: AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), 2…1024 bytes.
  ///   - channels: channels, 1…65535.
  ///   - sampleRate: Hz.
  ///   - averageBitRate: bits a second; 0 when it varies or is unknown.
  ///   - peakBitRate: most bits in any second; the average when 0.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for an impossible configuration.
  package init(
    configuration: [UInt8], channels: Int, sampleRate: Int, averageBitRate: Int = 0,
    peakBitRate: Int = 0, boxes: [UInt8] = []
  ) throws {
    guard (2...1024).contains(configuration.count) else {
      throw BoxError("esds", "AudioSpecificConfig of \(configuration.count) bytes")
    }
    var builder = BoxBuilder()
    builder.fullBox("esds") { box in
      AACSampleEntry.descriptor(3, in: &box) { stream in
        // ES_ID 0 and no flags, as files ask for.
        stream.zeros(3)
        AACSampleEntry.descriptor(4, in: &stream) { decoder in
          // MPEG-4 audio; an audio stream, not upstream, reserved bit set.
          decoder.u8(0x40)
          decoder.u8(0x15)
          // The decoder's input buffer: 6144 bits a channel (ISO/IEC 14496-3, 4.5.3.1).
          decoder.u24(min(max(channels, 1), 64) * 768)
          decoder.u32(max(peakBitRate, averageBitRate))
          decoder.u32(averageBitRate)
          AACSampleEntry.descriptor(5, in: &decoder) { $0.append(configuration) }
        }
        // Synchronisation as MP4 files predefine it.
        AACSampleEntry.descriptor(6, in: &stream) { $0.u8(2) }
      }
    }
    entry = AudioSampleEntry(
      format: "mp4a", channels: channels, sampleRate: sampleRate, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }

  /// A descriptor with its length in four bytes, the form every reader knows.
  private static func descriptor(
    _ tag: UInt8, in builder: inout BoxBuilder, _ body: (inout BoxBuilder) -> Void
  ) {
    var inner = BoxBuilder()
    body(&inner)
    builder.u8(tag)
    for shift in [21, 14, 7] { builder.u8(0x80 | (inner.bytes.count >> shift & 0x7F)) }
    builder.u8(inner.bytes.count & 0x7F)
    builder.append(inner.bytes)
  }
}
