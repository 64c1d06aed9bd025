// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// A levelling's gain as samples get it: that of a step holds at its middle, and amplitudes lie on straight lines between, held
/// before the first middle and after the last.
///
/// A sample's gain follows from its index alone, so that blocks don't matter. Not thread-safe; one owner at a time.
package final class LevelGain {
  /// Most samples whose gains are calculated at once.
  private static let piece = 1024

  /// Amplitudes of the steps; 1 where there is none.
  private let amplitudes: [Double]
  /// Half samples in a step.
  private let halves: Double
  /// Samples before the first one of the source.
  private let lead: Int64
  private let gains = Buffer<Float>(0, count: piece)

  /// The gain in dB of each step of `source`, for samples at `sampleRate` Hz that begin `lead` samples before it.
  package init(gain: [Double], sampleRate: Int, source: StepEnergies, lead: Int64 = 0) {
    self.lead = lead
    amplitudes = gain.isEmpty ? [1] : gain.map(PlainMaths.amplitude(decibels:))
    halves = Double(2 * sampleRate * source.stepLength) / Double(source.sampleRate)
  }

  /// Amplitude of the gain at sample `index`.
  package func amplitude(at index: Int64) -> Double {
    let line = line(at: index)
    return line.start + line.slope * (place(of: index) - line.place)
  }

  /// Multiplies all samples of `block`, whose first one is sample `start` of the programme.
  package func apply(to block: AudioBuffer, from start: Int64) {
    var done = 0
    while done < block.frames {
      let first = start + Int64(done)
      let line = line(at: first)
      let count = Int(min(line.end - first, Int64(min(LevelGain.piece, block.frames - done))))
      for frame in 0..<count {
        let place = place(of: first + Int64(frame))
        gains.base[frame] = Float(line.start + line.slope * (place - line.place))
      }
      for channel in 0..<block.channels {
        guard let plane = block.channel(channel).baseAddress else { continue }
        for frame in 0..<count { plane[done + frame] *= gains.base[frame] }
      }
      done += count
    }
  }

  /// Steps from the middle of the first one to sample `index`.
  private func place(of index: Int64) -> Double { Double(2 * (index - lead) + 1) / halves - 0.5 }

  /// First sample that isn't before the middle of `step`.
  private func first(of step: Int) -> Int64 {
    lead + Int64((((Double(step) + 0.5) * halves - 1) / 2).rounded(.up))
  }

  /// The line on which the amplitude of sample `index` lies: its value at a place, its slope, and the sample at which it ends.
  private func line(at index: Int64) -> (start: Double, slope: Double, place: Double, end: Int64) {
    let last = amplitudes.count - 1
    if index < first(of: 0) { return (amplitudes[0], 0, 0, first(of: 0)) }
    if index >= first(of: last) { return (amplitudes[last], 0, 0, .max) }
    var step = min(last, max(0, Int(place(of: index))))
    // Rounding may lead to a neighbour.
    while index < first(of: step) { step -= 1 }
    while index >= first(of: step + 1) { step += 1 }
    let slope = amplitudes[step + 1] - amplitudes[step]
    return (amplitudes[step], slope, Double(step), first(of: step + 1))
  }
}
