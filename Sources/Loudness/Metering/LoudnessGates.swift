// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

/// Gated programme loudness and loudness range from the energies of consecutive 100 ms.
///
/// No block spans two programmes, so an album is gated over the blocks of all its programmes.
package struct LoudnessGates {
  /// The programmes measured as one.
  let programmes: [ProgrammeEnergy]

  /// Programme loudness in LUFS (ITU-R BS.1770-5, Annex 1): 400 ms blocks overlapping by 75 %,
  /// gates at −70 LUFS and 10 LU below the loudness of what passes the first. `nil` when nothing
  /// passes.
  package var integrated: Double? {
    let blocks = means(of: 4, every: 1)
    guard let gate = relativeGate(blocks, ratio: 0.1) else { return nil }
    return mean(blocks, from: max(absolute, gate)).flatMap(LoudnessScale.loudness)
  }

  /// The relative gate of ``integrated`` in LUFS; `nil` when nothing passes the absolute gate.
  var relativeGate: Double? {
    relativeGate(means(of: 4, every: 1), ratio: 0.1).flatMap(LoudnessScale.loudness)
  }

  /// Largest loudness of any 3 s, read every 100 ms, in LUFS (EBU Tech 3341, clause 2.2).
  var shortTermMax: Double? {
    means(of: 30, every: 1).max().flatMap(LoudnessScale.loudness)
  }

  /// Loudness range in LU (EBU Tech 3342, clause 3): distribution of the loudness of 3 s blocks
  /// that overlap by 2 s, gates at −70 LUFS and −20 LU, from its 10th to its 95th percentile.
  package var range: Double? { range(every: 10) }

  /// Loudness range in LU as ``range``, of 3 s blocks that begin `steps` · 100 ms apart. The clause demands at most 10.
  package func range(every steps: Int) -> Double? {
    let blocks = means(of: 30, every: steps).filter { $0 >= absolute }
    guard let gate = relativeGate(blocks, ratio: 0.01) else { return nil }
    let kept = blocks.filter { $0 >= gate }.sorted()
    guard !kept.isEmpty else { return nil }
    let last = Double(kept.count - 1)
    guard let low = LoudnessScale.loudness(kept[Int(last * 0.1 + 0.5)]),
      let high = LoudnessScale.loudness(kept[Int(last * 0.95 + 0.5)])
    else { return nil }
    return high - low
  }

  /// The absolute gate, −70 LUFS, as a mean square.
  private var absolute: Double { LoudnessScale.meanSquare(-70) }

  private func means(of width: Int, every stride: Int) -> [Double] {
    // One programme's list isn't copied: that of a film takes a megabyte.
    programmes.count == 1
      ? programmes[0].means(of: width, every: stride)
      : programmes.flatMap { $0.means(of: width, every: stride) }
  }

  private func relativeGate(_ blocks: [Double], ratio: Double) -> Double? {
    mean(blocks, from: absolute).map { $0 * ratio }
  }

  /// Mean of the values of at least `gate`; `nil` when there is none.
  private func mean(_ values: [Double], from gate: Double) -> Double? {
    var sum = 0.0
    var count = 0
    for value in values where value >= gate {
      sum += value
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }
}

extension LoudnessGates {
  /// The gates of one programme with these weighted mean squares of consecutive 100 ms.
  package init(meanSquares: [Double]) {
    self.init(programmes: [
      ProgrammeEnergy(
        steps: meanSquares, rest: 0, stepLength: 1, largestMomentary: 0,
        samples: Int64(meanSquares.count))
    ])
  }
}

/// Conversions between weighted mean squares and LUFS (ITU-R BS.1770-5, Annex 1, equation 2).
package enum LoudnessScale {
  /// Loudness in LUFS of a weighted mean square; `nil` for zero.
  static func loudness(_ meanSquare: Double) -> Double? {
    guard meanSquare > 0 else { return nil }
    return offset + 10 * log10(meanSquare)
  }

  /// Weighted mean square of a loudness in LUFS.
  static func meanSquare(_ loudness: Double) -> Double { pow(10, (loudness - offset) / 10) }

  /// Loudness in LUFS of the mean of `number` mean squares that add up to `sum`; `nil` for silence and none.
  static func mean(_ sum: Double, _ number: Int) -> Double? {
    loudness(sum / Double(max(1, number)))
  }

  /// Makes a 997 Hz tone at full scale in one front channel read −3.01 LUFS.
  package static let offset = -0.691
}

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
