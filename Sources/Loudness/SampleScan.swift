/// Largest magnitude of a run of samples, found on their bits.
///
/// Without the sign bit, the bits of Float order like its magnitudes, with infinity and NaN on
/// top; one scan thus gives the sample peak and tells whether all samples are finite.
enum SampleScan {
  /// Bits of +infinity; anything from here on isn't finite.
  private static let infinity: Int32 = 0x7F80_0000

  /// Largest magnitude of `count` samples; `nil` when one of them isn't finite.
  static func finitePeak(_ samples: UnsafePointer<Float>, count: Int) -> Float? {
    let bits = peakBits(samples, count: count)
    return bits < infinity ? Float(bitPattern: UInt32(bitPattern: bits)) : nil
  }

  /// Largest magnitude of `count` finite samples.
  static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    Float(bitPattern: UInt32(bitPattern: peakBits(samples, count: count)))
  }

  private static func peakBits(_ samples: UnsafePointer<Float>, count: Int) -> Int32 {
    let mask = SIMD8<Int32>(repeating: .max)
    var best = SIMD8<Int32>()
    var other = SIMD8<Int32>()
    var index = 0
    // Two chains of comparisons, because each waits for its own last result.
    while index + 16 <= count {
      let here = UnsafeRawPointer(samples + index)
      let bits: SIMD8<Int32> = here.loadUnaligned(as: SIMD8<Int32>.self) & mask
      let next: SIMD8<Int32> = here.loadUnaligned(fromByteOffset: 32, as: SIMD8<Int32>.self) & mask
      best.replace(with: bits, where: bits .> best)
      other.replace(with: next, where: next .> other)
      index += 16
    }
    best.replace(with: other, where: other .> best)
    while index + 8 <= count {
      let raw = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Int32>.self)
      let bits: SIMD8<Int32> = raw & mask
      best.replace(with: bits, where: bits .> best)
      index += 8
    }
    var peak = best.max()
    while index < count {
      let bits = Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
      if bits > peak { peak = bits }
      index += 1
    }
    return peak
  }
}
