import AudioCore

/// Turns planar Float32 into interleaved integers for libsndfile, counting what doesn't fit.
///
/// Full scale is symmetric to the integer grid: 1.0 is 2^(bits−1), so integers that came in as
/// floats go out unchanged.
struct Quantizer {
  private let bits: Int
  private let dither: Dither
  /// State of the noise generator; the fixed seed makes outputs repeat.
  private var noise: UInt64 = 0x5049_4E4E_4121_0001
  /// Samples that had to be clamped to full scale.
  private(set) var clipped: Int64 = 0

  init(bits: Int, dither: Dither) {
    self.bits = bits
    self.dither = dither
  }

  /// Writes `frames × channels` left-justified 32-bit integers to `target`.
  mutating func convert(_ buffer: AudioBuffer, into target: UnsafeMutablePointer<Int32>) {
    let channels = buffer.channels
    for channel in 0..<channels {
      let plane = UnsafeBufferPointer(buffer.channel(channel))
      switch dither {
      case .none: plain(plane, target + channel, channels)
      case .tpdf: break
      }
    }
    if dither == .tpdf { dithered(buffer, target) }
  }

  private mutating func plain(
    _ plane: UnsafeBufferPointer<Float>, _ target: UnsafeMutablePointer<Int32>, _ stride: Int
  ) {
    let scale = Double(1 << (bits - 1))
    let top = scale - 1
    let shift = Int32(32 - bits)
    // Adding 1.5 × 2^52 rounds to an integer, ties to even, and leaves it in the low bits.
    let magic = 0x1.8p52
    var over = 0
    for index in 0..<plane.count {
      let value = Double(Quantizer.number(plane[index])) * scale
      let clamped = value > top ? top : (value < -scale ? -scale : value)
      over &+= value > top + 0.5 || value < -scale - 0.5 ? 1 : 0
      let rounded = Int32(truncatingIfNeeded: (clamped + magic).bitPattern)
      target[index &* stride] = rounded &<< shift
    }
    clipped += Int64(over)
  }

  /// Frame by frame over all channels, so that the noise doesn't depend on block sizes.
  private mutating func dithered(_ buffer: AudioBuffer, _ target: UnsafeMutablePointer<Int32>) {
    let scale = Double(1 << (bits - 1))
    let channels = buffer.channels
    let planes = (0..<channels).map { UnsafeBufferPointer(buffer.channel($0)) }
    for frame in 0..<buffer.frames {
      for channel in 0..<channels {
        let sample = Double(Quantizer.number(planes[channel][frame]))
        let wanted = sample * scale + uniform() + uniform()
        let value = wanted.rounded(.toNearestOrEven)
        let clamped = min(max(value, -scale), scale - 1)
        // Noise alone may touch the top code; only the signal counts as clipped.
        if value != clamped, sample.magnitude > 1 { clipped += 1 }
        target[frame * channels + channel] = Int32(clamped) << Int32(32 - bits)
      }
    }
  }

  /// Silence in place of NaN, which no integer can hold.
  private static func number(_ value: Float) -> Float { value.isNaN ? 0 : value }

  /// Next value of a uniform noise in ±0.5 (xorshift64*).
  private mutating func uniform() -> Double {
    noise ^= noise >> 12
    noise ^= noise << 25
    noise ^= noise >> 27
    let mixed = noise &* 0x2545_F491_4F6C_DD1D
    return Double(mixed >> 11) * 0x1p-53 - 0.5
  }
}
