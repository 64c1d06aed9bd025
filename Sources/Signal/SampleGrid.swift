// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels

/// Rounds samples to the steps of integers, and counts what doesn't fit.
///
/// Full scale is symmetric to the steps: 1.0 is 2^(bits−1), so integers that came in as floats go out
/// unchanged. NaN, which no integer can hold, becomes silence.
package struct SampleGrid {
  /// Samples that had to be clamped to full scale.
  package private(set) var clipped: Int64 = 0
  private let bits: Int
  private let isDithered: Bool
  /// State of the noise generator; the fixed seed makes outputs repeat.
  private var noise: UInt64 = 0x5049_4E4E_4121_0001

  /// A grid of `bits` bits, 2…24. With `isDithered`, triangular noise of ±1 step is added before;
  /// without, halves round to even.
  package init(bits: Int, isDithered: Bool) {
    self.bits = bits
    self.isDithered = isDithered
  }

  /// Appends the samples of `source`, rounded, to `target`, which has as many channels.
  package mutating func append(_ source: AudioBuffer, to target: AudioBuffer) {
    let (start, count) = (target.grow(by: source.frames), source.frames)
    guard isDithered else {
      for channel in 0..<source.channels {
        guard let from = source.channel(channel).baseAddress,
          let to = target.channel(channel).baseAddress
        else { continue }
        clipped += Int64(cs_round(from, to + start, count, Int32(bits)))
      }
      return
    }
    appendDithered(source, to: target, at: start)
  }

  private mutating func appendDithered(
    _ source: AudioBuffer, to target: AudioBuffer, at start: Int
  ) {
    let channels = source.channels
    source.withPlanes { from in
      withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: channels) {
        planes in
        for index in 0..<channels {
          planes.initializeElement(
            at: index, to: target.channel(index).baseAddress.map { $0 + start })
        }
        clipped += Int64(
          cs_round_dithered(
            from, planes.baseAddress, channels, source.frames, Int32(bits), &noise))
      }
    }
  }
}
