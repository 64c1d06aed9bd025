// SPDX-License-Identifier: Apache-2.0

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

/// Counts the samples that decoders make of the packets of a stream in Ogg, one packet after the other.
struct OggPacketLengths {
  private let head: OggHead
  /// Packets so far, headers included.
  private var count = 0
  /// Whether each mode of Vorbis has long blocks.
  private var modes: [Bool] = []
  /// Samples of the block of Vorbis before; `nil` before the first.
  private var block: Int?

  /// Counts for a stream that begins with `head`.
  init(_ head: OggHead) { self.head = head }

  /// Samples that `packet`, which comes next, is decoded to; `nil` for a header.
  mutating func samples(_ packet: [UInt8]) -> Int? {
    defer { count += 1 }
    switch head.mapping {
    case .vorbis: return vorbis(packet)
    case .opus:
      let isHeader = ["OpusHead", "OpusTags"].contains { packet.starts(with: $0.utf8) }
      return isHeader ? nil : OggPacketLengths.opus(packet)
    case .flac: return packet.first == 0xFF ? OggPacketLengths.flac(packet) : nil
    case .speex: return count < head.headers ? nil : head.packetSamples
    }
  }

  /// A block gives the samples between its own middle and that of the block before; the first one gives none
  /// (Vorbis I, 4.3.8).
  private mutating func vorbis(_ packet: [UInt8]) -> Int? {
    guard let first = packet.first else { return 0 }
    guard first & 1 == 0 else {
      if first == 5 { modes = OggPacketLengths.modes(inSetup: packet) }
      return nil
    }
    guard !modes.isEmpty else { return 0 }
    let width = UInt8(modes.count - 1).leadingZeroBitCount
    let mode = Int(first >> 1) & 0xFF >> width
    guard modes.indices.contains(mode) else { return 0 }
    let size = head.blockSizes[modes[mode] ? 1 : 0]
    defer { block = size }
    return block.map { ($0 + size) / 4 } ?? 0
  }

  /// Block flags of the modes, which stand at the end of the setup header: their number less one in 6 bits, then for
  /// each of them the flag, 32 bits of 0, and 8 bits below 64 (Vorbis I, 4.2.4). Nothing before them has a known
  /// length, so they are read from the end.
  private static func modes(inSetup header: [UInt8]) -> [Bool] {
    func bits(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(header[(place + $1) / 8] >> ((place + $1) % 8) & 1) << $1 }
    }
    // The last bit that is set frames the header.
    guard let last = header.lastIndex(where: { $0 != 0 }) else { return [] }
    let end = last * 8 + 7 - header[last].leadingZeroBitCount
    var flags: [Bool] = []
    var found: [Bool] = []
    while flags.count < 64 {
      let start = end - 41 * (flags.count + 1)
      guard start >= 62, bits(start + 1, 32) == 0, bits(start + 33, 8) < 64 else { break }
      flags.insert(bits(start, 1) == 1, at: 0)
      if bits(start - 6, 6) + 1 == flags.count { found = flags }
    }
    return found
  }

  /// Frames by the first bytes of a packet (RFC 6716, 3.1 and 3.2).
  static func opus(_ packet: [UInt8]) -> Int {
    guard let first = packet.first else { return 0 }
    let configuration = Int(first >> 3)
    let length =
      switch configuration {
      case ..<12: [480, 960, 1920, 2880][configuration & 3]
      case ..<16: [480, 960][configuration & 1]
      default: [120, 240, 480, 960][configuration & 3]
      }
    switch first & 3 {
    case 0: return length
    case 1, 2: return 2 * length
    default: return packet.count > 1 ? length * Int(packet[1] & 63) : 0
    }
  }

  /// The block size in the header of a frame (RFC 9639, 9.1.1), which stands in its fourth byte or after its number.
  private static func flac(_ frame: [UInt8]) -> Int {
    guard frame.count > 4 else { return 0 }
    let code = Int(frame[2] >> 4)
    // The number is coded like a character of UTF-8.
    let ones = (~frame[4]).leadingZeroBitCount
    let after = 4 + max(1, ones)
    switch code {
    case 1: return 192
    case 2...5: return 576 << (code - 2)
    case 6: return after < frame.count ? Int(frame[after]) + 1 : 0
    case 7:
      guard after + 1 < frame.count else { return 0 }
      return Int(frame[after]) << 8 + Int(frame[after + 1]) + 1
    case 8...: return 256 << (code - 8)
    default: return 0
    }
  }
}
