// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CEBUR128
import TestSupport

/// Measurements by libebur128.
struct Oracle {
  var integrated: Double
  var range: Double
  /// Largest true peak of any channel, dBTP.
  var truePeak: Double
  /// True peak of each channel, linear.
  var peaks: [Double]

  /// Measures planar samples; the channel map follows the layout's own weights.
  init?(_ planes: [[Float]], format: AudioFormat, dualMono: Bool = false) {
    let modes = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
    let mode = Int32(bitPattern: modes | EBUR128_MODE_TRUE_PEAK.rawValue)
    var state = ebur128_init(UInt32(planes.count), UInt(format.sampleRate), mode)
    guard let meter = state else { return nil }
    defer { ebur128_destroy(&state) }
    for channel in planes.indices {
      let role = Oracle.role(format.layout.loudnessWeight(at: channel), dualMono: dualMono)
      ebur128_set_channel(meter, UInt32(channel), Int32(bitPattern: role.rawValue))
    }
    let frames = planes[0].count
    guard ebur128_add_frames_float(meter, Signals.interleaved(planes), frames) == 0 else {
      return nil
    }
    integrated = 0
    range = 0
    ebur128_loudness_global(meter, &integrated)
    ebur128_loudness_range(meter, &range)
    peaks = planes.indices.map { channel in
      var peak = 0.0
      ebur128_true_peak(meter, UInt32(channel), &peak)
      return peak
    }
    truePeak = Signal.decibels(peaks.max() ?? 0)
  }

  private static func role(_ weight: Double, dualMono: Bool) -> channel {
    if weight == 0 { return EBUR128_UNUSED }
    if dualMono { return EBUR128_DUAL_MONO }
    return weight > 1 ? EBUR128_LEFT_SURROUND : EBUR128_LEFT
  }
}
