/// Payloads of the configuration boxes of AC-3 and E-AC-3 tracks, derived from the bitstream
/// (ETSI TS 102 366, F.4 and F.6; ETSI TS 103 420, 8.3).
struct DolbyConfiguration {
  private struct Bits {
    var bytes: [UInt8] = []
    private var used = 0

    mutating func write(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) {
        if used % 8 == 0 { bytes.append(0) }
        if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(used % 8) }
        used += 1
      }
    }
  }

  /// Payload of `dac3` or `dec3`; `nil` when `frames`, those of one access unit, are none.
  static func payload(_ frames: [DolbySyncframe]) -> [UInt8]? {
    guard let first = frames.first else { return nil }
    return first.isEnhanced ? dec3(frames, first) : dac3(first)
  }

  private static func dac3(_ frame: DolbySyncframe) -> [UInt8] {
    var bits = Bits()
    bits.write(frame.rateCode, 2)
    bits.write(frame.identification, 5)
    bits.write(frame.header.serviceMode, 3)
    bits.write(frame.channelMode, 3)
    bits.write(frame.hasLFE ? 1 : 0, 1)
    bits.write(frame.bitRateCode, 5)
    bits.write(0, 5)
    return bits.bytes
  }

  private static func dec3(_ frames: [DolbySyncframe], _ first: DolbySyncframe) -> [UInt8] {
    // A substream may take several frames in a unit; each is described once.
    var programmes: [(frame: DolbySyncframe, dependents: [DolbySyncframe])] = []
    for frame in frames {
      if frame.role == .independent {
        if !programmes.contains(where: { $0.frame.substream == frame.substream }) {
          programmes.append((frame, []))
        }
      } else if let last = programmes.indices.last,
        !programmes[last].dependents.contains(where: { $0.substream == frame.substream })
      {
        programmes[last].dependents.append(frame)
      }
    }
    let samples = frames.filter { $0.role == .independent && $0.substream == 0 }
      .reduce(0) { $0 + $1.samples }
    let size = frames.reduce(0) { $0 + $1.size }
    var bits = Bits()
    bits.write(size * 8 * first.sampleRate / max(1, samples) / 1000, 13)
    bits.write(programmes.count - 1, 3)
    for programme in programmes { write(programme.frame, programme.dependents, to: &bits) }
    if let complexity = frames.compactMap(\.header.objectComplexity).max(), complexity > 0 {
      bits.write(1, 8)
      bits.write(complexity, 8)
    }
    return bits.bytes
  }

  private static func write(
    _ frame: DolbySyncframe, _ dependents: [DolbySyncframe], to bits: inout Bits
  ) {
    bits.write(frame.rateCode, 2)
    bits.write(frame.identification, 5)
    bits.write(0, 1)
    bits.write(0, 1)
    bits.write(frame.header.serviceMode, 3)
    bits.write(frame.channelMode, 3)
    bits.write(frame.hasLFE ? 1 : 0, 1)
    bits.write(0, 3)
    bits.write(dependents.count, 4)
    guard !dependents.isEmpty else { return bits.write(0, 1) }
    // Bit k of chan_loc is location 5 + k of chanmap, whose first location is its highest bit; the
    // last is the second LFE channel.
    var places = 0
    for map in dependents.compactMap(\.header.channelMap) {
      for place in 0..<8 where map >> (10 - place) & 1 == 1 { places |= 1 << place }
      if map >> 1 & 1 == 1 { places |= 1 << 8 }
    }
    bits.write(places, 9)
  }
}
