import AudioCore
import LibAV
import Platform

/// Diffuse-field response of one ear: power averaged over the sphere, in dB per bin.
struct DiffuseField: Sendable {
  /// Levels in dB of bins 0…n/2.
  let levels: [Double]
  /// Hz between bins.
  let binWidth: Double

  /// Level at `frequency` Hz, interpolated.
  func level(at frequency: Double) -> Double {
    let position = min(Double(levels.count - 1), max(0, frequency / binWidth))
    let low = min(levels.count - 2, Int(position))
    let part = position - Double(low)
    return levels[low] * (1 - part) + levels[low + 1] * part
  }

  /// Mean level over 200 Hz…10 kHz, every octave counting the same.
  var mean: Double {
    var sum = 0.0
    var weights = 0.0
    for bin in bins(200, 10000) {
      sum += levels[bin] / Double(bin)
      weights += 1 / Double(bin)
    }
    return weights > 0 ? sum / weights : level(at: 1000)
  }

  /// Highest minus lowest level over 100 Hz…16 kHz, in dB.
  var range: Double {
    let band = bins(100, 16000).map { levels[$0] }
    guard let low = band.min(), let high = band.max() else { return 0 }
    return high - low
  }

  private func bins(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    let top = Double(levels.count - 1) * 0.92
    let last = max(1, Int(min(high / binWidth, top)))
    return min(max(1, Int((low / binWidth).rounded(.up))), last)...last
  }

  /// The diffuse field of both ears (left, right) of a set, by transforms of `length` points.
  /// - Throws: ``MediaError`` of kind `internal` when no such transform can be made.
  static func average(
    _ set: HRTFMeasurements, _ grid: DirectionGrid, length: Int
  ) throws -> [DiffuseField] {
    let weights = earWeights(grid, measurements: set.directions.count)
    let fft = try ComplexFFT(length: length)
    let input = AlignedFloats(count: 2 * length)
    let output = AlignedFloats(count: 2 * length)
    var powers = [[Double](repeating: 0, count: length / 2 + 1), []]
    powers[1] = powers[0]
    for measurement in set.directions.indices {
      for tap in 0..<set.taps {
        input.base[2 * tap] = set.responses[set.offset(measurement, ear: 0) + tap]
        input.base[2 * tap + 1] = set.responses[set.offset(measurement, ear: 1) + tap]
      }
      fft.forward(input.base, into: output.base)
      let pair = weights[measurement]
      powers[0].withUnsafeMutableBufferPointer {
        addPowers(output.base, length, left: pair[0], right: pair[1], to: $0)
      }
      guard !grid.isSymmetric else { continue }
      powers[1].withUnsafeMutableBufferPointer {
        addPowers(output.base, length, left: pair[2], right: pair[3], to: $0)
      }
    }
    if grid.isSymmetric { powers[1] = powers[0] }
    let width = Double(set.sampleRate) / Double(length)
    return powers.map { power in
      DiffuseField(levels: power.map { 10 * log10(max($0, 1e-30)) }, binWidth: width)
    }
  }

  /// Weights of each measurement: its left and right response in the left ear's field, then both
  /// in the right ear's.
  private static func earWeights(
    _ grid: DirectionGrid, measurements: Int
  ) -> [SIMD4<Double>] {
    var weights = [SIMD4<Double>](repeating: .zero, count: measurements)
    for (point, area) in zip(grid.points, grid.areas()) {
      let share = area / Double(point.members.count)
      for member in point.members {
        let crossed = SIMD4<Double>(0, share, share, 0)
        let straight = SIMD4<Double>(share, 0, 0, share)
        weights[member.measurement] += member.swapped ? crossed : straight
      }
    }
    return weights
  }

  /// Adds the weighted powers of the two real signals packed as real and imaginary part.
  private static func addPowers(
    _ bins: UnsafePointer<Float>, _ length: Int, left: Double, right: Double,
    to power: UnsafeMutableBufferPointer<Double>
  ) {
    for bin in 0...length / 2 {
      let mirror = (length - bin) & (length - 1)
      let sumRe = Double(bins[2 * bin]) + Double(bins[2 * mirror])
      let difIm = Double(bins[2 * bin + 1]) - Double(bins[2 * mirror + 1])
      let sumIm = Double(bins[2 * bin + 1]) + Double(bins[2 * mirror + 1])
      let difRe = Double(bins[2 * bin]) - Double(bins[2 * mirror])
      power[bin] +=
        0.25 * (left * (sumRe * sumRe + difIm * difIm) + right * (sumIm * sumIm + difRe * difRe))
    }
  }
}
