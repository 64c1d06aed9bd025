// SPDX-License-Identifier: Apache-2.0

/// A signal that shows a shift of a single sample: quiet noise with loud bursts and impulses at known
/// places.
package enum ImpulseSignal {
  /// Samples per channel: no codec's frame length divides this number, so the last frame is never full.
  package static let frames = 96_123
  /// First samples of the noise bursts, which are 2048 samples long; an impulse lies 100 samples behind
  /// the end of each.
  package static let bursts = [4_000, 31_123, 60_001, 88_777]

  /// Stereo planes with a different noise in each channel; ±1 is full scale.
  private static let sound: [[Float]] = (0..<2).map { channel in
    var noise = SeededNoise(seed: UInt64(channel + 1))
    var plane = noise.samples(frames, peak: 0.01)
    smooth(&plane)
    for burst in bursts {
      var loud = noise.samples(2048, peak: 0.7)
      smooth(&loud)
      for index in 0..<2048 { plane[burst + index] += loud[index] }
      plane[burst + 2148] = 0.9
    }
    return plane
  }
  private static let whole = quantised(16)

  /// Stereo 16-bit planes. With fewer than 16 `bits`, the lowest bits are zero.
  package static func planes(bits: Int = 16) -> [[Int16]] {
    bits == 16 ? whole : quantised(bits)
  }

  private static func quantised(_ bits: Int) -> [[Int16]] {
    let step = 1 << (16 - bits)
    return sound.map { plane in
      plane.map { Int16(($0 * 32767 / Float(step)).rounded()) * Int16(step) }
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
    let reference = (0..<2048).map { Float(original[burst + $0]) / 32768 }
    let energy = product(reference, at: 0, reference)
    var best = (samples: Int.max, correlation: -1.0)
    for shift in -reach...reach {
      let start = burst + shift
      guard start >= 0, start + 2048 <= decoded.count else { continue }
      let power = power(decoded, at: start)
      let product = product(decoded, at: start, reference)
      let correlation = power > 0 ? product / (energy * power).squareRoot() : 0
      if correlation > best.correlation { best = (shift, correlation) }
    }
    return best
  }

  /// Sum of the products of `reference`, whose length eight divides, and what `samples` holds from `start` on.
  private static func product(_ samples: [Float], at start: Int, _ reference: [Float]) -> Double {
    samples.withUnsafeBytes { samples in
      reference.withUnsafeBytes { reference in
        var sum = SIMD8<Float>.zero
        for place in stride(from: 0, to: reference.count, by: 32) {
          sum +=
            samples.loadUnaligned(fromByteOffset: 4 * start + place, as: SIMD8<Float>.self)
            * reference.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
        }
        return Double(sum.sum())
      }
    }
  }

  /// Power of the 2048 samples from `start` on.
  private static func power(_ samples: [Float], at start: Int) -> Double {
    samples.withUnsafeBytes { samples in
      var sum = SIMD8<Float>.zero
      for place in stride(from: 4 * start, to: 4 * (start + 2048), by: 32) {
        let eight = samples.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
        sum += eight * eight
      }
      return Double(sum.sum())
    }
  }
}
