/// A signal that shows a shift of a single sample: quiet noise with loud bursts and impulses at known
/// places.
package enum ImpulseSignal {
  /// Samples per channel: no codec's frame length divides this number, so the last frame is never full.
  package static let frames = 480_123
  /// First samples of the noise bursts, which are 2048 samples long; an impulse lies 100 samples behind
  /// the end of each.
  package static let bursts = [4_000, 60_123, 240_001, 420_777]

  /// Stereo 16-bit planes with a different noise in each channel. With fewer than 16 `bits`, the lowest
  /// bits are zero.
  package static func planes(bits: Int = 16) -> [[Int16]] {
    (0..<2).map { channel in
      var noise = SeededNoise(seed: UInt64(channel + 1))
      var plane = noise.samples(frames, peak: 0.01)
      smooth(&plane)
      for burst in bursts {
        var loud = noise.samples(2048, peak: 0.7)
        smooth(&loud)
        for index in 0..<2048 { plane[burst + index] += loud[index] }
        plane[burst + 2148] = 0.9
      }
      let step = 1 << (16 - bits)
      return plane.map { Int16(($0 * 32767 / Float(step)).rounded()) * Int16(step) }
    }
  }

  /// Attenuates the highest octave, so that lossy codecs keep the waveform.
  private static func smooth(_ plane: inout [Float]) {
    for _ in 0..<3 {
      var last: Float = 0
      for index in plane.indices {
        let now = plane[index]
        plane[index] = (now + last) / 2
        last = now
      }
    }
  }

  /// Lag in ±`reach` samples at which `decoded` best matches `original` around a burst, and the
  /// normalised correlation there.
  package static func lag(
    of decoded: [Float], against original: [Int16], burst: Int, reach: Int = 3000
  ) -> (samples: Int, correlation: Double) {
    let reference = (0..<2048).map { Double(original[burst + $0]) / 32768 }
    let energy = reference.reduce(0) { $0 + $1 * $1 }
    var best = (samples: Int.max, correlation: -1.0)
    for shift in -reach...reach {
      let start = burst + shift
      guard start >= 0, start + 2048 <= decoded.count else { continue }
      var product = 0.0
      var power = 0.0
      for index in 0..<2048 {
        let sample = Double(decoded[start + index])
        product += sample * reference[index]
        power += sample * sample
      }
      let correlation = power > 0 ? product / (energy * power).squareRoot() : 0
      if correlation > best.correlation { best = (shift, correlation) }
    }
    return best
  }
}
