import Platform

/// The Layer III frames of a bare MP3 file: where they begin, and how long they are.
enum MP3Frames {
  /// Bytes that may lie in front of the first frame, behind the ID3v2 tags.
  static let longestJunk = 1 << 20
  /// Frames, one right behind the other, that can't be there by chance: about 22 bits of each header are given.
  private static let run = 4

  /// The bytes between the ID3v2 tags at the beginning and the first frame; `nil` when the frames begin right there,
  /// or no frames are found within ``longestJunk`` bytes.
  static func junk(in file: LocalFile) -> Range<Int64>? {
    let start = ID3Tag.length(in: file)
    // A run of frames is never longer than this: 144 · 320,000 / 32,000 bytes and one of padding each.
    let room = run * 1441 + 4
    guard !isRun(file.bytes(at: start, count: room), 0) else { return nil }
    let bytes = file.bytes(at: start, count: longestJunk + room)
    let place = bytes.indices.prefix(longestJunk).first { bytes[$0] == 0xFF && isRun(bytes, $0) }
    return place.map { start..<start + Int64($0) }
  }

  /// Whether frames of one version and rate follow each other from `offset` on; at the end of `bytes` there may
  /// be fewer of them.
  private static func isRun(_ bytes: [UInt8], _ offset: Int) -> Bool {
    var place = offset
    for index in 0..<run {
      if index > 1, place == bytes.count { return true }
      guard place + 4 <= bytes.count,
        let size = shape(Array(bytes[place..<place + 4]))?.size,
        // Version, layer and sample rate; bit rate, padding and checksum change from frame to frame.
        bytes[place + 1] & 0xFE == bytes[offset + 1] & 0xFE,
        bytes[place + 2] & 0x0C == bytes[offset + 2] & 0x0C
      else { return false }
      place += size
    }
    return true
  }

  private static let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  static let lowBitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  static let rates = [44_100, 48_000, 32_000]

  /// Bytes of the Layer III frame with this header, of its side information (ISO/IEC 11172-3, 2.4.1.7), and its samples;
  /// `nil` when it is none.
  static func shape(_ frame: [UInt8]) -> (size: Int, side: Int, samples: Int)? {
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
    let size = (isFirst ? 144_000 : 72_000) * kilobits / rate + padding
    return (size, side, isFirst ? 1152 : 576)
  }
}
