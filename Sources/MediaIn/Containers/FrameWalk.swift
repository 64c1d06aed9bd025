import Platform
import Signal

/// The frames at the beginning of a packet of a bare stream, by the sizes in their headers: libavformat's parsers add all bytes
/// up to the next sync word to a frame.
struct FrameWalk {
  /// Bytes of all frames.
  private(set) var end = 0
  /// Bytes of the first frame.
  private var size = 0
  /// Samples of the first frame.
  private var samples = 0

  /// The frames of AC-3, E-AC-3 or DTS that begin `bytes`; `nil` when there are none, or none whose size is known.
  init?(_ bytes: [UInt8]) {
    while let next = FrameWalk.frame(bytes[end...]), next.size > 0,
      end + next.size <= bytes.count
    {
      if end == 0 { (size, samples) = next }
      end += next.size
    }
    guard end > 0 else { return nil }
  }

  /// Samples of as many whole frames as are lost where so many bytes are no frame.
  func samples(lostIn bytes: Int) -> Int { (bytes + size / 2) / size * samples }

  private static func frame(_ bytes: ArraySlice<UInt8>) -> (size: Int, samples: Int)? {
    let head = Array(bytes.prefix(256))
    return DolbySyncframe(head).map { ($0.size, $0.samples) } ?? core(head) ?? substream(head)
  }

  /// A core frame of DTS in words of 16 bits, big-endian (ETSI TS 102 114, 5.3.1).
  private static func core(_ head: [UInt8]) -> (size: Int, samples: Int)? {
    guard head.count >= 16, head.starts(with: [0x7F, 0xFE, 0x80, 0x01]) else { return nil }
    return head.withUnsafeBufferPointer { buffer in
      var bits = BitReader<Never>(buffer)
      // SYNC, FTYPE, SHORT, CPF; then NBLKS, FSIZE.
      bits.skip(32 + 1 + 5 + 1)
      let blocks = bits.read(7) + 1
      return (bits.read(14) + 1, blocks * 32)
    }
  }

  /// Bytes of a stream in ADTS, up to byte `limit` of `file`, that are neither frames (ISO/IEC 14496-3, 1.A.2) nor ID3v2 tags, which
  /// segments of HLS begin with.
  static func strayBytes(ofADTS file: LocalFile, to limit: Int64) -> Int64 {
    var (place, stray) = (Int64(0), Int64(0))
    var (base, window) = (Int64(0), [UInt8]())
    while place < limit {
      if place + 10 > base + Int64(window.count) {
        (base, window) = (place, file.bytes(at: place, count: 65_536))
      }
      let head = Array(window[Int(place - base)...].prefix(10))
      if let size = adts(head) ?? ID3Tag.size(of: head) {
        place += size
      } else {
        place += 1
        stray += 1
      }
    }
    return stray
  }

  private static func adts(_ head: [UInt8]) -> Int64? {
    guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
    // aac_frame_length, the header with it.
    let size = Int64(head[3] & 3) << 11 | Int64(head[4]) << 3 | Int64(head[5] >> 5)
    return size >= 7 ? size : nil
  }

  private static let longBitRates = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  ]
  private static let layerIBitRates = [
    0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
  ]

  /// Bytes of the frame of MPEG audio with this header (ISO/IEC 11172-3, 2.4.2.3 and ISO/IEC 13818-3, 2.4.2.3); `nil` where it has
  /// no size.
  static func mpeg(_ head: [UInt8]) -> Int? {
    guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
    let layer = 4 - Int(head[1] >> 1 & 3)
    guard layer < 3 else { return layer == 3 ? MP3Frames.shape(head)?.size : nil }
    let (version, rateIndex) = (Int(head[1] >> 3 & 3), Int(head[2] >> 2 & 3))
    let bitIndex = Int(head[2] >> 4)
    guard version != 1, rateIndex < 3, (1..<15).contains(bitIndex) else { return nil }
    let rate = MP3Frames.rates[rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let isLow = version != 3
    let kilobits =
      isLow
      ? (layer == 1 ? layerIBitRates : MP3Frames.lowBitRates)[bitIndex]
      : longBitRates[layer - 1][bitIndex]
    let padding = Int(head[2] >> 1 & 1)
    return layer == 1
      ? (12_000 * kilobits / rate + padding) * 4 : 144_000 * kilobits / rate + padding
  }

  /// An extension substream of DTS (ETSI TS 102 114, 7.4.1), whose samples are those of the core before it.
  private static func substream(_ head: [UInt8]) -> (size: Int, samples: Int)? {
    guard head.count >= 16, head.starts(with: [0x64, 0x58, 0x20, 0x25]) else { return nil }
    return head.withUnsafeBufferPointer { buffer in
      var bits = BitReader<Never>(buffer)
      // SYNCEXTSSH, UserDefinedBits, nExtSSIndex; then bHeaderSizeType, nuExtSSHeaderSize, nuExtSSFsize.
      bits.skip(32 + 8 + 2)
      let isLong = bits.flag()
      bits.skip(isLong ? 12 : 8)
      return (bits.read(isLong ? 20 : 16) + 1, 0)
    }
  }
}
