/// An Opus track's sample entry: `Opus` with `dOps` (Encapsulation of Opus in ISO Base Media File
/// Format, 4.3.1 and 4.3.2), made from an OpusHead (RFC 7845, 5.1).
package struct OpusSampleEntry: WritableBox, Equatable {
  /// Samples at 48 kHz to be dropped at the start.
  package let preSkip: Int
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - head: OpusHead with its signature, as Ogg files and libav have it.
  ///   - boxes: whole boxes to follow.
  /// - Throws: ``BoxError`` when it is no OpusHead of version 1 or its mapping is cut off.
  package init(head: [UInt8], boxes: [UInt8] = []) throws {
    guard head.count >= 19, head.starts(with: "OpusHead".utf8), head[8] >> 4 == 0 else {
      throw BoxError("dOps", "no OpusHead of version 1")
    }
    let channels = Int(head[9])
    let family = head[18]
    let mapping = family == 0 ? [] : Array(head[19...].prefix(2 + channels))
    guard channels > 0, family != 0 || channels <= 2, family == 0 || mapping.count == 2 + channels
    else { throw BoxError("dOps", "OpusHead with \(channels) channels and a wrong mapping") }
    preSkip = Int(head[10]) | Int(head[11]) << 8
    var builder = BoxBuilder()
    builder.box("dOps") { box in
      box.u8(0)
      box.u8(channels)
      // The same fields as in OpusHead, which is little-endian.
      for field in [10..<12, 12..<16, 16..<18] { box.append(head[field].reversed()) }
      box.u8(family)
      box.append(mapping)
    }
    entry = AudioSampleEntry(
      format: "Opus", channels: channels, sampleRate: 48_000, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }

  /// The roll distance of a track whose packets last `packetDuration` samples at 48 kHz: as many as
  /// cover the 80 ms that a decoder needs to converge (4.3.6.2 of the encapsulation), negative.
  package static func rollDistance(packetDuration: Int) -> Int {
    packetDuration > 0 ? -((3840 + min(packetDuration, 5760) - 1) / min(packetDuration, 5760)) : -32
  }
}
