import LibAV
import Platform

/// What averaging left and right takes off the diffuse field of a symmetric set.
///
/// A place and its mirror image are averaged by their magnitudes in dB, as neighbouring places are. The
/// power of such an average is lower than the mean power, and more so in the treble, where both sides
/// differ by several dB.
struct MirrorLoss: Sendable {
  /// dB by bin, 0…n/2; not negative.
  let levels: [Double]
  /// Hz between bins.
  private let binWidth: Double

  /// Smaller losses in dB are left as they are.
  private static let tolerance = 0.3

  /// Whether it is large enough to be given back.
  var counts: Bool { highest > MirrorLoss.tolerance }

  /// The highest loss over 100 Hz…16 kHz, in dB.
  var highest: Double {
    let last = min(levels.count - 1, Int(16000 / binWidth))
    return levels[min(last, Int(100 / binWidth))...last].max() ?? 0
  }

  /// The loss in `field`, the diffuse field of `set`, by transforms of `length` points.
  /// - Throws: ``MediaError`` of kind `internal` when no such transform can be made.
  init(
    _ set: HRTFMeasurements, _ grid: DirectionGrid, _ field: DiffuseField, length: Int
  ) throws {
    binWidth = field.binWidth
    var lost = [Double](repeating: 0, count: field.levels.count)
    if grid.isSymmetric {
      let transform = try PowerTransform(length: length)
      for (point, area) in zip(grid.points, grid.areas()) where point.members.count > 1 {
        let powers = point.members.map { member in
          transform.power(set, member.measurement, ear: member.swapped ? 1 : 0)
        }
        let count = Double(powers.count)
        for bin in lost.indices {
          let sum = powers.reduce(0) { $0 + $1[bin] }
          let product = powers.reduce(1) { $0 * $1[bin] }
          let averaged = powers.count == 2 ? product.squareRoot() : pow(product, 1 / count)
          lost[bin] += area * (sum / count - averaged)
        }
      }
    }
    levels = zip(lost, field.levels).map { lost, level in
      -10 * log10(max(0.01, 1 - max(0, lost) / pow(10, level / 10)))
    }
  }
}

/// Powers of single responses by bin.
private final class PowerTransform {
  private let fft: ComplexFFT
  private let input: AlignedFloats
  private let output: AlignedFloats

  init(length: Int) throws {
    fft = try ComplexFFT(length: length)
    input = AlignedFloats(count: 2 * length)
    output = AlignedFloats(count: 2 * length)
  }

  /// Bins 0…n/2 of one ear (0 left, 1 right) of one measurement.
  func power(_ set: HRTFMeasurements, _ measurement: Int, ear: Int) -> [Double] {
    let start = set.offset(measurement, ear: ear)
    for tap in 0..<set.taps { input.base[2 * tap] = set.responses[start + tap] }
    fft.forward(input.base, into: output.base)
    return (0...fft.length / 2).map { bin in
      let re = Double(output.base[2 * bin])
      let im = Double(output.base[2 * bin + 1])
      return re * re + im * im
    }
  }
}
