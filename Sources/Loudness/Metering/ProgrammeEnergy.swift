/// Energies of one uninterrupted programme; all its figures but the peaks are computed from them.
struct ProgrammeEnergy: Sendable, Equatable {
  /// Weighted sums of squares of whole 100 ms steps, in order.
  let steps: [Double]
  /// Weighted sum of squares of what follows the last whole step.
  let rest: Double
  /// Samples in a step.
  let stepLength: Int
  /// Largest weighted sum of squares of any 400 ms, read every 10 ms; 0 below 400 ms.
  let largestMomentary: Double
  /// Samples in the programme.
  let samples: Int64

  /// Whether there is no whole 400 ms block.
  var isShort: Bool { samples < 4 * Int64(stepLength) }

  /// Weighted mean square of all samples; 0 for an empty programme.
  var meanSquare: Double {
    samples > 0 ? (steps.reduce(0, +) + rest) / Double(samples) : 0
  }

  /// Length in units of 100 ms.
  var length: Double { Double(samples) / Double(stepLength) }

  /// The programme with all its energies times `factor`.
  func scaled(by factor: Double) -> ProgrammeEnergy {
    ProgrammeEnergy(
      steps: steps.map { $0 * factor }, rest: rest * factor, stepLength: stepLength,
      largestMomentary: largestMomentary * factor, samples: samples)
  }

  /// Mean squares of windows of `width` steps that start `stride` steps apart.
  func means(of width: Int, every stride: Int) -> [Double] {
    guard steps.count >= width else { return [] }
    return Swift.stride(from: 0, through: steps.count - width, by: stride).map {
      mean(of: width, from: $0)
    }
  }

  /// Mean square of the window of `width` steps that begins with step `start`.
  func mean(of width: Int, from start: Int) -> Double {
    steps.withUnsafeBufferPointer { steps in
      var sum = 0.0
      for index in start..<start + width { sum += steps[index] }
      return sum / Double(width * stepLength)
    }
  }
}
