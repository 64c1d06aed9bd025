/// Peak and mean level of sound on one side of a tap.
public struct TapLevels: Sendable, Hashable {
  /// Samples of each channel.
  public private(set) var frames: Int64 = 0
  private var peakBits: UInt32 = 0
  private var energy = 0.0
  private var samples: Int64 = 0

  /// Levels of nothing.
  public init() {}

  /// Largest magnitude; full scale is 1.
  public var peak: Float { Float(bitPattern: peakBits) }

  /// Mean square over all channels.
  public var meanSquare: Double { samples > 0 ? energy / Double(samples) : 0 }

  /// Whether all samples were numbers.
  var isFinite: Bool { peakBits < Float.infinity.bitPattern }

  /// Adds the frames of `buffer` from number `start` on.
  public mutating func add(_ buffer: AudioBuffer, from start: Int = 0) {
    let count = buffer.frames - start
    guard count > 0 else { return }
    frames += Int64(count)
    for channel in 0..<buffer.channels {
      guard let base = buffer.channel(channel).baseAddress else { continue }
      add(UnsafeBufferPointer(start: base + start, count: count))
    }
  }

  /// Adds the levels of other sound.
  public mutating func add(_ other: TapLevels) {
    frames += other.frames
    peakBits = max(peakBits, other.peakBits)
    energy += other.energy
    samples += other.samples
  }

  /// Magnitudes of numbers, infinity and what is no number are ordered as their bits are, without the sign; eight
  /// lanes let the compiler use vectors.
  private mutating func add(_ plane: UnsafeBufferPointer<Float>) {
    guard let base = plane.baseAddress else { return }
    var peaks = SIMD8<UInt32>(repeating: peakBits)
    var sums = SIMD8<Float>.zero
    let whole = plane.count / 8 * 8
    var index = 0
    var total = 0.0
    while index < whole {
      // Sums stay short, so that single precision is enough for them.
      let end = min(whole, index + 1024)
      while index < end {
        let values = UnsafeRawPointer(base + index).loadUnaligned(as: SIMD8<Float>.self)
        let bits = unsafeBitCast(values, to: SIMD8<UInt32>.self) & 0x7FFF_FFFF
        peaks = pointwiseMax(peaks, bits)
        sums += values * values
        index += 8
      }
      total += Double(sums.sum())
      sums = .zero
    }
    peakBits = peaks.max()
    for index in whole..<plane.count {
      peakBits = max(peakBits, base[index].bitPattern & 0x7FFF_FFFF)
      total += Double(base[index] * base[index])
    }
    energy += total
    samples += Int64(plane.count)
  }
}
