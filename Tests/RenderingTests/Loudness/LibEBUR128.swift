// SPDX-License-Identifier: Apache-2.0
import CEBUR128
import Foundation
import TestSupport

/// Loudness and true peak of decoded audio as libebur128, an independent meter, measures them.
struct LibEBUR128 {
  let integrated: Double
  let truePeak: Double

  init(_ audio: Decoded) {
    var state = ebur128_init(
      UInt32(audio.planes.count), UInt(audio.rate),
      Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue))
    ebur128_add_frames_float(state, Signals.interleaved(audio.planes), audio.planes[0].count)
    var loudness = 0.0
    ebur128_loudness_global(state, &loudness)
    var peak = 0.0
    for channel in audio.planes.indices {
      var value = 0.0
      ebur128_true_peak(state, UInt32(channel), &value)
      peak = max(peak, value)
    }
    integrated = loudness
    truePeak = 20 * log10(peak)
    ebur128_destroy(&state)
  }
}
