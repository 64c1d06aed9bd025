import Platform

/// Where the Layer III frames of a bare MP3 file begin.
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
        let size = MP3InfoTag.shape(Array(bytes[place..<place + 4]))?.size,
        // Version, layer and sample rate; bit rate, padding and checksum change from frame to frame.
        bytes[place + 1] & 0xFE == bytes[offset + 1] & 0xFE,
        bytes[place + 2] & 0x0C == bytes[offset + 2] & 0x0C
      else { return false }
      place += size
    }
    return true
  }
}
