// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Impulse responses at another sample rate, by a windowed sinc in Double whose weights are those of the exact ratio.
///
/// A transform would need lengths in the ratio of both rates, which powers of two don't have. The filter is that of the sound's
/// own conversion, ``ConversionFilter``. Output sample m lies at input sample m · `down` / `up`; the response counts as silent before
/// and after its samples.
package struct ResponseRate: Sendable {
  /// Largest number of a ratio whose weights are kept, 8 MB of them; those of rarer ratios are calculated for each sample.
  private static let mostKept = 1 << 12
  /// Weights are multiplied in groups of this many.
  private static let group = 4

  /// Both rates without their common divisor.
  private let up, down: Int
  /// Input samples on either side of a place that count.
  private let half: Int
  /// Cut-off as a part of the input's Nyquist frequency.
  private let cutoff: Double
  /// Weights of each sample, ``up`` rows of them; empty for a ratio of larger numbers.
  private var rows: [Double] = []

  /// Samples from one row to the next: 2 · ``half`` + 1, up to whole groups.
  private var width: Int { (2 * half / ResponseRate.group + 1) * ResponseRate.group }

  /// A conversion from `rate` to `wanted` Hz.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for rates of 0 and below.
  package init(from rate: Int, to wanted: Int) throws {
    guard rate > 0, wanted > 0 else {
      throw MediaError(.unsupportedFeature, "can't convert responses at \(rate) Hz to \(wanted) Hz")
    }
    let period = Int(MediaTime.leastCommonMultiple(Int64(rate), Int64(wanted)))
    (up, down) = (period / rate, period / wanted)
    cutoff = ConversionFilter.band * min(1, Double(wanted) / Double(rate))
    let reach = Double(ConversionFilter.size) / ConversionFilter.band / 2
    half = Int((reach * max(1, Double(rate) / Double(wanted))).rounded(.up))
    guard up != down, max(up, down) <= ResponseRate.mostKept else { return }
    rows = (0..<up).flatMap(row)
  }

  /// Samples of a response of `count` samples at the new rate.
  package func frames(_ count: Int) -> Int { (count * up + down - 1) / down }

  /// `response` at the new rate; its gain stays.
  package func converted(_ response: [Float]) -> [Double] {
    guard up != down else { return response.map(Double.init) }
    // A filter sums over samples, of which there are more or fewer now.
    let scale = Double(down) / Double(up)
    let silence = [Double](repeating: 0, count: width)
    let padded = silence + response.map(Double.init) + silence
    return (0..<frames(response.count)).map { sample in
      let phase = sample * down % up
      let start = width + sample * down / up - half
      let weights = rows.isEmpty ? row(phase)[...] : rows[phase * width..<(phase + 1) * width]
      return scale * ResponseRate.product(weights, padded[start..<start + width])
    }
  }

  /// Weights for a place `phase` / ``up`` behind a sample, from ``half`` samples before that one on.
  private func row(_ phase: Int) -> [Double] {
    let norm = cutoff / Kaiser.bessel(ConversionFilter.beta)
    return (0..<width).map { (tap: Int) -> Double in
      let distance = Double((tap - half) * up - phase) / Double(up)
      let place = distance / Double(half)
      guard place.magnitude <= 1 else { return 0 }
      let window = Kaiser.bessel(ConversionFilter.beta * (1 - place * place).squareRoot())
      let angle = .pi * cutoff * distance
      return norm * window * (angle == 0 ? 1 : sin(angle) / angle)
    }
  }

  /// Σ `weights`[n] · `samples`[n] over ``width`` values, in four sums.
  private static func product(
    _ weights: ArraySlice<Double>, _ samples: ArraySlice<Double>
  ) -> Double {
    weights.withUnsafeBytes { weights in
      samples.withUnsafeBytes { samples in
        var sum = SIMD4<Double>.zero
        for offset in stride(from: 0, to: weights.count, by: MemoryLayout<SIMD4<Double>>.size) {
          sum +=
            weights.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            * samples.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
        }
        return sum.sum()
      }
    }
  }
}
