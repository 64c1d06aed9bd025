/// A FLAC track's sample entry: `fLaC` with `dfLa` (Encapsulation of FLAC in ISO Base Media File
/// Format, 3.3.1 and 3.3.2). Channels, bits and rate are those of STREAMINFO (RFC 9639, 8.2).
package struct FLACSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - streamInfo: body of the STREAMINFO block, 34 bytes.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for another length or a rate of 0.
  package init(streamInfo: [UInt8], boxes: [UInt8] = []) throws {
    guard streamInfo.count == 34 else {
      throw BoxError("dfLa", "STREAMINFO of \(streamInfo.count) bytes instead of 34")
    }
    let fields = streamInfo.bigEndian32(at: 10)
    let sampleRate = Int(fields >> 12)
    guard sampleRate > 0 else { throw BoxError("dfLa", "STREAMINFO without a sample rate") }
    var builder = BoxBuilder()
    builder.fullBox("dfLa") { box in
      // Last metadata block, type 0.
      box.u8(0x80)
      box.u24(streamInfo.count)
      box.append(streamInfo)
    }
    entry = AudioSampleEntry(
      format: "fLaC", channels: Int(fields >> 9 & 7) + 1,
      bitsPerSample: Int(fields >> 4 & 31) + 1,
      sampleRate: FLACSampleEntry.expressible(sampleRate), boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }

  /// The rate, halved until 16 bits hold it, or 65535 when it can't be halved: the standard's
  /// "regular division", 48000 for 96 and 192 kHz.
  private static func expressible(_ rate: Int) -> Int {
    var rate = rate
    while rate > 65_535 {
      guard rate % 2 == 0 else { return 65_535 }
      rate /= 2
    }
    return rate
  }
}
