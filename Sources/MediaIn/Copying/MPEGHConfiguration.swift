import Signal

/// Level and channels of a stream of MPEG-H 3D Audio (ISO/IEC 23008-3).
struct MPEGHConfiguration: Equatable {
  /// `mpegh3daProfileLevelIndication` (table 67).
  let level: Int
  /// Channels of the layout that the programme is made for; `nil` where its number isn't one of ISO/IEC 23091-3.
  let channels: Int?

  /// Channels of the layouts 1…20 (ISO/IEC 23091-3, table 9).
  private static let channels = [
    1, 2, 3, 4, 5, 6, 8, 2, 3, 4, 7, 8, 24, 8, 12, 10, 12, 14, 12, 14,
  ]

  /// Reads the payload of `mhaC` (20.5); `nil` for one that is missing or cut.
  init?(mhaC bytes: [UInt8]?) {
    guard let bytes, bytes.count >= 5 else { return nil }
    level = Int(bytes[1])
    channels = MPEGHConfiguration.channels(Int(bytes[2]))
  }

  /// Finds the configuration among the MHAS packets of a sample (14.2); `nil` where it has none.
  init?(packets bytes: [UInt8]) {
    let found = bytes.withUnsafeBufferPointer { buffer -> Int? in
      var bits = BitReader<Never>(buffer)
      while bits.remaining > 0 {
        let type = MPEGHConfiguration.escaped(&bits, 3, 8, 8)
        _ = MPEGHConfiguration.escaped(&bits, 2, 8, 32)
        let length = MPEGHConfiguration.escaped(&bits, 11, 24, 24)
        guard !bits.isExhausted, length <= bits.remaining / 8 else { return nil }
        // PACTYP_MPEGH3DACFG begins with the level.
        if type == 1, length > 0 { return bits.read(8) }
        bits.skip(8 * length)
      }
      return nil
    }
    guard let found else { return nil }
    (level, channels) = (found, nil)
  }

  private static func channels(_ layout: Int) -> Int? {
    (1...channels.count).contains(layout) ? channels[layout - 1] : nil
  }

  /// `escapedValue`: a number whose fields follow each other as long as each is full (ISO/IEC 23003-3, 5.2).
  private static func escaped(
    _ bits: inout BitReader<Never>, _ first: Int, _ second: Int, _ third: Int
  ) -> Int {
    var value = bits.read(first)
    guard value == 1 << first - 1 else { return value }
    let more = bits.read(second)
    value += more
    guard more == 1 << second - 1 else { return value }
    return value + bits.read(third)
  }
}
