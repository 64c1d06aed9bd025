import ISOBMFF

/// Static HDR metadata that a bitstream carries in SEI messages (ITU-T H.265, D.2.28 and D.2.35).
///
/// Readers of MP4 look for it in the sample entry only, where the source's container often doesn't have it.
struct HDRMetadata: Equatable {
  /// Payload of `mdcv`: mastering display colour volume.
  private(set) var masteringDisplay: [UInt8]?
  /// Payload of `clli`: content light level.
  private(set) var lightLevel: [UInt8]?

  /// Searches one sample of length-prefixed NAL units, and the NAL units of the sample entry.
  init(codec: String, sample: [UInt8], sets: ParameterSets?) {
    guard let sets, ["h264", "hevc"].contains(codec) else { return }
    var units = sets.units.map { $0[...] }
    var position = 0
    while position + sets.lengthSize <= sample.count {
      let start = position + sets.lengthSize
      let size = sample[position..<start].reduce(0) { $0 << 8 | Int($1) }
      guard size > 0, size <= sample.count - start else { break }
      units.append(sample[start..<(start + size)])
      position = start + size
    }
    for unit in units {
      guard let head = unit.first else { continue }
      let isAVC = codec == "h264"
      guard isAVC ? head & 0x1F == 6 : [39, 40].contains(head >> 1 & 0x3F) else { continue }
      read(HDRMetadata.unescaped(unit.dropFirst(isAVC ? 1 : 2)))
    }
  }

  /// Reads the messages of one SEI NAL unit (ITU-T H.265, 7.3.5).
  private mutating func read(_ bytes: [UInt8]) {
    var position = 0
    // Types and sizes are sums of bytes; 255 means that another byte follows.
    func number() -> Int {
      var value = 0
      while position < bytes.count {
        value += Int(bytes[position])
        position += 1
        guard bytes[position - 1] == 255 else { break }
      }
      return value
    }
    while position + 2 < bytes.count {
      let type = number()
      let size = number()
      guard size <= bytes.count - position else { return }
      let payload = Array(bytes[position..<(position + size)])
      // 137 is mastering_display_colour_volume, 144 content_light_level_info.
      if type == 137, size == 24 { masteringDisplay = payload }
      if type == 144, size == 4 { lightLevel = payload }
      position += size
    }
  }

  /// Without emulation prevention bytes (ITU-T H.265, 7.3.1.1).
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
