import Platform

/// How much the level of the bass differs between the directions of a set.
///
/// A head is much smaller than the wavelength there, so in a free field it can't prefer a direction:
/// differences come from the room or the loudspeaker of the measurement.
enum BassSpread {
  /// Where the level is taken, in Hz.
  private static let frequencies = [50.0, 70, 100]

  /// Standard deviation over the sphere of the level of both ears' power at 50…100 Hz, in dB.
  static func decibels(_ set: HRTFMeasurements, _ grid: DirectionGrid) -> Double {
    let tables = frequencies.map { PhaseTable(2 * .pi * $0 / Double(set.sampleRate), set.taps) }
    let levels = set.directions.indices.map { measurement in
      let power = tables.reduce(0) { sum, table in
        sum + table.power(set, measurement, ear: 0) + table.power(set, measurement, ear: 1)
      }
      return 10 * log10(max(1e-30, power))
    }
    var sum = SIMD3<Double>.zero
    for (point, area) in zip(grid.points, grid.areas()) {
      for member in point.members {
        let level = levels[member.measurement]
        sum += area / Double(point.members.count) * SIMD3(1, level, level * level)
      }
    }
    guard sum.x > 0 else { return 0 }
    let mean = sum.y / sum.x
    return max(0, sum.z / sum.x - mean * mean).squareRoot()
  }
}

/// Cosine and sine of one frequency at all taps.
private struct PhaseTable {
  private let cosines: [Double]
  private let sines: [Double]

  /// `step` radians from tap to tap.
  init(_ step: Double, _ taps: Int) {
    cosines = (0..<taps).map { cos(step * Double($0)) }
    sines = (0..<taps).map { sin(step * Double($0)) }
  }

  func power(_ set: HRTFMeasurements, _ measurement: Int, ear: Int) -> Double {
    let start = set.offset(measurement, ear: ear)
    var re = 0.0
    var im = 0.0
    for tap in cosines.indices {
      let value = Double(set.responses[start + tap])
      re += value * cosines[tap]
      im += value * sines[tap]
    }
    return re * re + im * im
  }
}
