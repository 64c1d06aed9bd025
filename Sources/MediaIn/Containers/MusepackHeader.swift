import Platform

/// The stream header of Musepack 8 (SV8 specification, packet "SH"), whose numbers libavformat rounds to packets.
struct MusepackHeader {
  /// Samples by which any decoder of Musepack is late.
  private static let decoderDelay: Int64 = 481

  /// Samples that the decoder gives up to the end of the programme, its delay and silence in front of it included.
  let decodedSamples: Int64

  /// Reads the header of `file`; `nil` when there is none, or it leaves the length open.
  init?(_ file: LocalFile) {
    // The packet comes first. Its key and size are followed by a checksum, the version of the stream, and the samples.
    let head = file.bytes(at: ID3Tag.length(in: file), count: 32)
    guard head.starts(with: "MPCKSH".utf8), let size = MusepackHeader.number(head.dropFirst(6)),
      let samples = MusepackHeader.number(head.dropFirst(6 + size.length + 5)), samples.value > 0
    else { return nil }
    decodedSamples = samples.value + MusepackHeader.decoderDelay
  }

  /// A number of seven bits a byte, at most eight bytes, of which all but the last have their highest bit set.
  private static func number(_ bytes: ArraySlice<UInt8>) -> (value: Int64, length: Int)? {
    var value: Int64 = 0
    for (index, byte) in bytes.prefix(8).enumerated() {
      value = value << 7 | Int64(byte & 0x7F)
      if byte < 0x80 { return (value, index + 1) }
    }
    return nil
  }
}
