// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CEBUR128
import Loudness

import Platform

/// libebur128, fed interleaved Float32.
struct PeerMeter {
  /// Results of the meter: LUFS, LU and linear.
  struct Result {
    var integrated = 0.0
    var range: Double?
    var truePeak: Double?

    /// Whether `other` is within 0.01 LU, 0.1 LU and 0.5 dB: each true peak may be 0.2 dB too high or
    /// 0.4 dB too low (EBU Tech 3341), and the interpolators differ.
    func agrees(with other: LoudnessMeasurement) -> Bool {
      func near(_ left: Double?, _ right: Double?, _ tolerance: Double) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return (left - right).magnitude <= tolerance
      }
      return near(integrated, other.integrated, 0.01)
        && (range == nil || near(range, other.range, 0.1))
        && (truePeak == nil || near(truePeak.map { 20 * log10($0) }, other.truePeak, 0.5))
    }
  }

  private let samples: [Float]
  private let format: AudioFormat
  private let truePeak: Bool

  /// A meter for `programme`, without the true peak and loudness range unless `truePeak`.
  init(_ programme: Programme, truePeak: Bool) {
    samples = programme.interleaved
    format = programme.format
    self.truePeak = truePeak
  }

  /// Measures the whole programme; `nil` when libebur128 refuses.
  func measure() -> Result? {
    var modes = EBUR128_MODE_I.rawValue
    if truePeak { modes |= EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue }
    var state = ebur128_init(
      UInt32(format.channels), UInt(format.sampleRate), Int32(bitPattern: modes))
    guard let meter = state else { return nil }
    defer { ebur128_destroy(&state) }
    for channel in 0..<format.channels {
      let weight = format.layout.loudnessWeight(at: channel)
      let role = weight == 0 ? EBUR128_UNUSED : weight > 1 ? EBUR128_LEFT_SURROUND : EBUR128_LEFT
      ebur128_set_channel(meter, UInt32(channel), Int32(bitPattern: role.rawValue))
    }
    let frames = samples.count / format.channels
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for start in stride(from: 0, to: frames, by: MeterBench.block) {
        let count = min(MeterBench.block, frames - start)
        ebur128_add_frames_float(meter, base + start * format.channels, count)
      }
    }
    return result(meter)
  }

  private func result(_ meter: UnsafeMutablePointer<ebur128_state>) -> Result {
    var result = Result()
    ebur128_loudness_global(meter, &result.integrated)
    guard truePeak else { return result }
    var range = 0.0
    ebur128_loudness_range(meter, &range)
    result.range = range
    var largest = 0.0
    for channel in 0..<format.channels {
      var peak = 0.0
      ebur128_true_peak(meter, UInt32(channel), &peak)
      largest = max(largest, peak)
    }
    result.truePeak = largest
    return result
  }
}
