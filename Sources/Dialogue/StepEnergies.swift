// SPDX-License-Identifier: Apache-2.0
import Loudness

/// Energies of an output or of the source, one for each step of 100 ms.
package struct StepEnergies: Sendable, Equatable {
  /// Weighted mean squares of whole steps (ITU-R BS.1770-5, Annex 1), as ``LoudnessStatistics/meanSquares`` has them.
  package let meanSquares: [Double]
  /// Samples per second.
  package let sampleRate: Int
  /// Samples in a step.
  package let stepLength: Int
  /// Samples before the first one of the source, in which the frames lie.
  package let lead: Int

  /// The energies of a programme of `sampleRate` Hz, which begins `lead` samples before the source.
  package init(meanSquares: [Double], sampleRate: Int, lead: Int = 0) {
    self.meanSquares = meanSquares
    self.sampleRate = sampleRate
    self.lead = lead
    stepLength = LoudnessMeter.stepLength(at: sampleRate)
  }

  /// The step in which the middle of `frame` lies; there may be no such step at the end.
  ///
  /// Steps are whole samples, so that a fifth of the frame would drift by 1.6 s an hour at 11025 Hz.
  package func step(of frame: Int) -> Int {
    (lead + (2 * frame + 1) * sampleRate / (2 * FrameWindows.rate)) / stepLength
  }

  /// The frames whose middles lie in `steps`.
  package func frames(of steps: Range<Int>) -> Range<Int> {
    first(in: steps.lowerBound)..<first(in: steps.upperBound)
  }

  /// First frame whose middle lies in `step` or later.
  private func first(in step: Int) -> Int {
    // The sample (2 · frame + 1) · rate / 100 is rounded down, so its first one is rounded up.
    let start = max(0, step * stepLength - lead)
    return (2 * FrameWindows.rate * start + sampleRate - 1) / sampleRate / 2
  }

  /// How many of `frames` each step has.
  package func counts(of frames: FrameRuns) -> [Int] {
    var counts = [Int](repeating: 0, count: meanSquares.count)
    for range in frames.ranges {
      for frame in range {
        let step = step(of: frame)
        if step < counts.count { counts[step] += 1 }
      }
    }
    return counts
  }

  /// Mean squares of the steps that have at least `least` of `frames`.
  func mostly(_ frames: FrameRuns, _ least: Int) -> [Double] {
    zip(meanSquares, counts(of: frames)).filter { $1 >= least }.map(\.0)
  }

  /// Sum of the mean squares of the steps that have some of `frames`, each as often as it has, and their number.
  func sum(of frames: FrameRuns) -> (energy: Double, number: Int) {
    var (sum, number) = (0.0, 0)
    for range in frames.ranges {
      for frame in range {
        let step = step(of: frame)
        guard step < meanSquares.count else { break }
        sum += meanSquares[step]
        number += 1
      }
    }
    return (sum, number)
  }

  /// Loudness in LUFS of the steps that have some of `frames`, each as often as it has; no gate. `nil` without frames and for
  /// silence.
  package func loudness(of frames: FrameRuns) -> Double? {
    let (sum, number) = sum(of: frames)
    return sum > 0 ? PlainMaths.loudness(sum / Double(number)) : nil
  }
}
