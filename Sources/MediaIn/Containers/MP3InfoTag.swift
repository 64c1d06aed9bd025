import LibAV
import Platform

/// The tag that LAME and libavformat put into the first frame of an MP3: how many bytes of sound
/// follow, and their checksum.
struct MP3InfoTag {
  /// Offset of the frame that holds the tag.
  let start: Int64
  /// Bytes of that frame.
  let frameSize: Int64
  /// Bytes from ``start`` to the end of the sound.
  let length: Int64
  /// Whether the tag has the checksum that it states for itself.
  let isSound: Bool
  /// Samples of the encoder's input, by the numbers of frames, start-up samples and padding; `nil` when the
  /// tag doesn't count the frames.
  let programmeSamples: Int64?

  private let checksum: UInt16

  private static let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let lowBitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  private static let rates = [44_100, 48_000, 32_000]

  /// Looks for the tag in the first frame of `file`; `nil` when there is none that is whole.
  init?(_ file: LocalFile) {
    start = ID3Tag.length(in: file)
    // The longest Layer III frame: 144 · 320,000 / 32,000 bytes and one of padding.
    let frame = file.bytes(at: start, count: 1441)
    guard frame.count > 4, let (size, side) = MP3InfoTag.shape(frame), frame.count >= size else {
      return nil
    }
    frameSize = Int64(size)
    var offset = 4 + side
    guard offset + 8 <= size else { return nil }
    let name = Array(frame[offset..<offset + 4])
    guard name == Array("Xing".utf8) || name == Array("Info".utf8) else { return nil }
    let flags = frame[offset + 7]
    offset += 8
    for (bit, count) in [(1, 4), (2, 4), (4, 100), (8, 4)] where Int(flags) & bit != 0 {
      offset += count
    }
    guard offset + 36 <= size else { return nil }
    let number = { (place: Int, count: Int) in
      frame[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    // Other encoders fill the fields behind the encoder's name with zeros or values of their own.
    let encoder = String(decoding: frame[offset..<offset + 6], as: UTF8.self)
    guard ["LAME3.", "Lavf", "Lavc"].contains(where: encoder.hasPrefix) else { return nil }
    let frames = flags & 1 != 0 ? number(4 + side + 8, 4) : 0
    let ends = number(offset + 21, 3)
    // 529 samples are the delay of any Layer III decoder (the LAME tag's definition); they are taken off the
    // padding, which may be shorter.
    let padding = max(0, (ends & 0xFFF) - 529)
    let samples = frames * (frame[1] & 0x18 == 0x18 ? 1152 : 576) - ((ends >> 12) + 529) - padding
    programmeSamples = frames > 0 && samples > 0 ? Int64(samples) : nil
    let stated = number(offset + 34, 2)
    isSound =
      stated == Int(MP3InfoTag.crc(frame[..<(offset + 34)], 0))
      || stated == MP3InfoTag.sumOfLibAV(frame[..<size], field: offset + 34)
    length = Int64(number(offset + 28, 4))
    checksum = UInt16(number(offset + 32, 2))
    guard length > frameSize else { return nil }
  }

  /// The tag's checksum as libavformat makes it: over 190 bytes wherever tag and frame end, with zeros in the `field`
  /// of the checksum itself and behind the frame. In stereo this is what LAME writes.
  private static func sumOfLibAV(_ frame: ArraySlice<UInt8>, field: Int) -> Int? {
    guard field + 2 <= 190 else { return nil }
    var bytes = frame.prefix(190) + [UInt8](repeating: 0, count: max(0, 190 - frame.count))
    bytes[field] = 0
    bytes[field + 1] = 0
    return Int(crc(bytes, 0))
  }

  /// Whether the file ends before the sound does.
  func isCut(_ file: LocalFile) -> Bool { start + length > file.size }

  /// Whether the sound has the checksum that the tag states.
  func fits(_ file: LocalFile) -> Bool {
    var offset = start + frameSize
    let end = start + length
    var sum: UInt16 = 0
    while offset < end {
      let bytes = file.bytes(at: offset, count: Int(min(end - offset, 1 << 20)))
      guard !bytes.isEmpty else { return false }
      sum = MP3InfoTag.crc(bytes[...], sum)
      offset += Int64(bytes.count)
    }
    return sum == checksum
  }

  /// Bytes of a Layer III frame and of its side information (ISO/IEC 11172-3, 2.4.1.7).
  static func shape(_ frame: [UInt8]) -> (size: Int, side: Int)? {
    guard frame[0] == 0xFF, frame[1] & 0xE6 == 0xE2, frame[1] & 0x18 != 0x08 else { return nil }
    let isFirst = frame[1] & 0x18 == 0x18
    let rateIndex = Int(frame[2] >> 2 & 3)
    let bitIndex = Int(frame[2] >> 4)
    guard rateIndex < 3, (1..<15).contains(bitIndex) else { return nil }
    let halving = isFirst ? 0 : (frame[1] & 0x18 == 0x10 ? 1 : 2)
    let rate = rates[rateIndex] >> halving
    let kilobits = isFirst ? bitRates[bitIndex] : lowBitRates[bitIndex]
    let padding = Int(frame[2] >> 1 & 1)
    let isMono = frame[3] >> 6 == 3
    let side = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    // A frame may have a checksum before its side information, but encoders place the tag as if it had none.
    return ((isFirst ? 144_000 : 72_000) * kilobits / rate + padding, side)
  }

  /// CRC-16 with generator 0x8005, reflected.
  private static func crc(_ bytes: ArraySlice<UInt8>, _ seed: UInt16) -> UInt16 {
    bytes.reduce(seed) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt16(byte)) & 0xFF)] }
  }

  private static let table: [UInt16] = (0..<256).map { value in
    (0..<8).reduce(UInt16(value)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xA001 : sum >> 1 }
  }
}
