/// A PCM track's sample entry: `ipcm` or `fpcm` with `pcmC` (ISO/IEC 23003-5, 5.1 to 5.3).
package struct PCMSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - isFloat: floating point (32 or 64 bits) instead of integers (16, 24 or 32 bits).
  ///   - bits: bits of one channel's sample.
  ///   - isLittleEndian: order of a sample's bytes.
  ///   - channels: channels, 1…65535.
  ///   - sampleRate: Hz; the track's timescale must be the same.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for other numbers of bits.
  package init(
    isFloat: Bool, bits: Int, isLittleEndian: Bool, channels: Int, sampleRate: Int,
    boxes: [UInt8] = []
  ) throws {
    guard (isFloat ? [32, 64] : [16, 24, 32]).contains(bits) else {
      throw BoxError("pcmC", "\(isFloat ? "float" : "integer") samples of \(bits) bits")
    }
    var builder = BoxBuilder()
    builder.fullBox("pcmC") { box in
      box.u8(isLittleEndian ? 1 : 0)
      box.u8(bits)
    }
    entry = AudioSampleEntry(
      format: isFloat ? "fpcm" : "ipcm", channels: channels, bitsPerSample: bits,
      sampleRate: sampleRate, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}
