/// The places of AMR's frames in a packet that holds several (3GPP TS 26.244, 6.7): each begins with a byte that names its
/// type, and so its length (storage format of RFC 4867, 5.3).
enum AMRFrames {
  /// Bytes of the frames of AMR, by type, with the byte that names it; 0 for reserved types.
  private static let narrow = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
  /// Bytes of the frames of AMR wideband, where type 14 stands for lost speech.
  private static let wide = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

  /// The frames of `packet`; `nil` where their lengths don't add up to it.
  static func ranges(in packet: [UInt8], isWide: Bool) -> [Range<Int>]? {
    let lengths = isWide ? wide : narrow
    var ranges: [Range<Int>] = []
    var place = 0
    while place < packet.count {
      let length = lengths[Int(packet[place] >> 3 & 15)]
      guard length > 0, place + length <= packet.count else { return nil }
      ranges.append(place..<place + length)
      place += length
    }
    return ranges
  }
}
