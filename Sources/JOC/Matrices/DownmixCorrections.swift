// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

/// Gives the downmix the gain back that its encoder took away (`joc_clipgain`).
///
/// A change of the gain went through the encoder's transform, so that 1 / gain fades over the first 256
/// samples of a frame.
struct ClipGain {
  /// Samples over which a change fades.
  private static let fade = 256
  /// Part of the new gain in each of these samples: sin²(π/2 · (n + ½) / 256).
  private static let shape = (0..<fade).map { index -> Double in
    let sine = sin(.pi / 2 * (Double(index) + 0.5) / Double(fade))
    return sine * sine
  }

  /// The gain of the frame before; `nil` before the first one.
  private var previous: Double?

  /// Writes the gains of the samples of a frame with `gain` to `target`; `nil` keeps the one before.
  mutating func write(_ gain: Double?, count: Int, to target: UnsafeMutablePointer<Float>) {
    let new = gain ?? previous ?? 1
    let old = previous ?? new
    for index in 0..<min(count, ClipGain.fade) {
      let part = ClipGain.shape[index]
      target[index] = Float(1 / ((1 - part) / old + part / new))
    }
    for index in min(count, ClipGain.fade)..<count { target[index] = Float(new) }
    previous = new
  }
}

/// Undoes the shift by 90° that an encoder gave a surround channel (`joc_dmx_config_idx` 3 and 4): all
/// subbands are multiplied by −i, but subband 0, which holds both sides of 0 Hz, passes a filter that leaves
/// the lowest frequencies alone.
enum SurroundRotation {
  /// Slots before and after the present one that the filter of subband 0 needs.
  static let reach = RotationTables.taps.count / 2

  /// Rotates the first `count` slots of `real` and `imaginary` into `toReal` and `toImaginary`. The filter
  /// needs ``reach`` slots before and behind them.
  static func rotate(
    _ rotation: JOCOptions.Rotation, _ real: SlotRows, _ imaginary: SlotRows, count: Int,
    _ toReal: SlotRows, _ toImaginary: SlotRows
  ) {
    for band in 0..<QMF.bands {
      let (re, im) = (real.row(band), imaginary.row(band))
      let (outRe, outIm) = (toReal.row(band), toImaginary.row(band))
      for index in 0..<count {
        outRe[index] = im[index]
        outIm[index] = -re[index]
      }
    }
    guard rotation == .corrected else { return }
    let (re, im) = (real.row(0), imaginary.row(0))
    for index in 0..<count {
      var (sumRe, sumIm): (Float, Float) = (0, 0)
      for (tap, weight) in RotationTables.taps.enumerated() {
        let place = index + reach - tap
        sumRe += weight * re[place]
        sumIm += weight * im[place]
      }
      toReal.row(0)[index] += sumRe - sumIm
      toImaginary.row(0)[index] += sumRe + sumIm
    }
  }
}
