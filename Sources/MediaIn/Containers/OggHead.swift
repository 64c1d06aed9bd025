/// The first packet of a stream of sound in Ogg, which says what the stream holds.
struct OggHead {
  /// How the packets of a stream are mapped into Ogg.
  enum Mapping {
    /// Vorbis I, 4.2.
    case vorbis
    /// RFC 7845, 5.
    case opus
    /// RFC 9639, 10.1.
    case flac
    /// The Speex manual, 7.
    case speex
  }

  /// How the packets are mapped.
  let mapping: Mapping
  /// Channels; 0 for FLAC.
  let channels: Int
  private let bytes: [UInt8]

  /// Reads the first packet of a stream, or as much of it as its first page holds; `nil` for anything else.
  init?(_ packet: some Collection<UInt8>) {
    bytes = Array(packet.prefix(80))
    if bytes.starts(with: "OpusHead".utf8), bytes.count > 9 {
      (mapping, channels) = (.opus, Int(bytes[9]))
    } else if bytes.starts(with: [1] + Array("vorbis".utf8)), bytes.count > 11 {
      (mapping, channels) = (.vorbis, Int(bytes[11]))
    } else if bytes.starts(with: "Speex   ".utf8), bytes.count == 80 {
      (mapping, channels) = (.speex, Int(bytes[48]))
    } else if bytes.starts(with: [0x7F] + Array("FLAC".utf8)) {
      (mapping, channels) = (.flac, 0)
    } else {
      return nil
    }
  }

  /// Samples by which the stream's positions are larger than those of its sound (RFC 7845, 4.3).
  var preSkip: Int64 { mapping == .opus ? Int64(byte(10) | byte(11) << 8) : 0 }

  /// Samples by which the decoder is late besides the start-up that pages count: those of Speex count the encoder's look-ahead
  /// alone, and the decoder's is a subframe of narrowband at each of its rates (SPEEX_GET_LOOKAHEAD).
  var decoderDelay: Int64 { mapping == .speex ? 40 << Int64(min(2, number(40))) : 0 }

  /// Samples of a short and of a long block of Vorbis.
  var blockSizes: [Int] { [1 << (byte(28) & 15), 1 << (byte(28) >> 4)] }

  /// Samples of each packet of Speex; 0 where the header can't be true.
  var packetSamples: Int {
    let (frame, frames) = (number(56), max(1, number(64)))
    return frame <= 4096 && frames <= 64 ? frame * frames : 0
  }

  /// Packets of Speex before the first one with sound: this one, the comments, and others.
  var headers: Int { 2 + number(68) }

  private func byte(_ offset: Int) -> Int { offset < bytes.count ? Int(bytes[offset]) : 0 }

  private func number(_ offset: Int) -> Int {
    (0..<4).reversed().reduce(0) { $0 << 8 | byte(offset + $1) }
  }
}
