import Foundation
import TestSupport

/// Writes frames of MPEG-1 layer I (ISO/IEC 11172-3) of random samples.
enum MPEGBytes {
  /// Frames of MPEG-1 layer I at 384 kbit/s and 48 kHz in joint stereo from subband 8 on, with their checksum over
  /// header and allocation (ISO/IEC 11172-3, 2.4.3.1).
  static func jointLayerI(frames: Int) -> Data {
    var noise = SeededNoise(seed: 11)
    return (0..<frames).reduce(Data()) { file, _ in
      let tail: [(Int, Int)] = [(12, 4), (0b0100, 4), (0b0101, 4), (0, 4)]
      let widths = (0..<12).map { _ in Int.random(in: 2...4, using: &noise) }
      let allocation = (0..<32).flatMap { band -> [(Int, Int)] in
        let width = (band < 12 ? widths[band] : 0, 4)
        return band < 8 ? [width, width] : [width]
      }
      var frame = BitBytes()
      frame.put(0xFFF, 12)
      frame.put(0b1110, 4)
      for (value, width) in tail { frame.put(value, width) }
      frame.put(checksum(tail + allocation), 16)
      for (value, width) in allocation { frame.put(value, width) }
      for _ in 0..<24 { frame.put(Int.random(in: 20...40, using: &noise), 6) }
      for _ in 0..<12 {
        for band in 0..<12 {
          for _ in 0..<(band < 8 ? 2 : 1) {
            let width = widths[band] + 1
            frame.put(Int.random(in: 0..<(1 << width) - 1, using: &noise), width)
          }
        }
      }
      frame.align()
      return file + Data(frame.bytes) + Data(count: 384 - frame.bytes.count)
    }
  }

  private static func checksum(_ fields: [(Int, Int)]) -> Int {
    fields.reduce(0xFFFF) { sum, field in
      (0..<field.1).reversed().reduce(sum) { sum, bit in
        let isOdd = (sum >> 15) ^ (field.0 >> bit & 1) == 1
        return (isOdd ? sum << 1 ^ 0x8005 : sum << 1) & 0xFFFF
      }
    }
  }
}
